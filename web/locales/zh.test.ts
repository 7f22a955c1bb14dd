import { expect, test } from 'bun:test'
import { errors } from '#shared/errors.ts'
import { faults } from '#shared/faults.ts'
import { logEvents } from '#shared/log-events.ts'
import { readTable } from '#shared/testing/table.ts'
import { zh } from './zh.ts'

const names = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** An option is named by the console, whatever the refusal calls it. */
const filledHere = 'option'

/** The words a translated template asks for that its text is not given, beside the code of each. */
function missingWords<Code extends string>(
  templates: Readonly<Record<Code, string>>,
  translated: Readonly<Partial<Record<Code, string>>>,
  filled: readonly string[] = [],
): Promise<Record<string, readonly string[]>> {
  const codes = Object.keys(templates) as Code[]
  return readTable(
    codes.map((code) => [code, code] as const),
    async (code) => {
      const known = [...names(templates[code]), ...filled]
      return names(translated[code] ?? 'missing {words}').filter((name) => !known.includes(name))
    },
  )
}

const none = (codes: object) => Object.fromEntries(Object.keys(codes).map((code) => [code, []]))

test('the template of every error asks for what the refusal carries', async () => {
  const templates = Object.fromEntries(Object.entries(errors).map(([code, [, text]]) => [code, text]))
  expect(await missingWords(templates, zh.errors, [filledHere])).toEqual(none(errors))
})

test('the template of every fault asks for what the fault carries', async () => {
  expect(await missingWords(faults, zh.faults, [filledHere])).toEqual(none(faults))
})

test('the template of every event of the log asks for what the event carries', async () => {
  expect(await missingWords(logEvents, zh.logEvents)).toEqual(none(logEvents))
})
