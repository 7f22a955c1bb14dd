/** Browser tests that `npm test` runs too. */
const journeys = 25

/** Each tag is counted once, also where a loop makes several tests of it. */
export function checkSmoke(sources: ReadonlyMap<string, string>): string[] {
  const found = [...sources]
    .filter(([path]) => /^e2e\/[^/]+\.spec\.ts$/.test(path))
    .reduce((sum, [, text]) => sum + text.split("tag: '@smoke'").length - 1, 0)
  return found === journeys ? [] : [`e2e has ${found} journeys tagged @smoke; npm test is to run ${journeys}`]
}
