type Rule = readonly [name: RegExp, ratio: number, fixed: boolean]

/** Output price against input by the name of a model; the first rule that fits counts. Fixed ones nobody can change. */
const rules: readonly Rule[] = [
  [/(-all|-gizmo-\*)$/, 2, false],
  [/^gpt-4o-2024-05-13$/, 3, true],
  [/^gpt-4o-mini-tts/, 20, false],
  [/^gpt-4o/, 4, false],
  [/^gpt-5[^.]*$/, 8, true],
  [/^gpt-5\.4-nano/, 6.25, true],
  [/^gpt-5\.4/, 6, true],
  [/^gpt-5/, 6, false],
  [/^gpt-4\.5-preview/, 2, true],
  [/^gpt-4-turbo|^gpt-4-110[56]$/, 3, true],
  [/^gpt-/, 2, false],
  [/^o[13]/, 4, true],
  [/^chatgpt-4o-latest$/, 3, true],
  [/claude-(3|(sonnet|opus|haiku)-4)/, 5, true],
  [/^mistral-/, 3, true],
  [/^gemini-(1\.5|2\.0)/, 4, true],
  [/^gemini-2\.5-pro/, 8, false],
  [/^gemini-2\.5-flash-preview.*-nothinking$/, 4, false],
  [/^gemini-2\.5-flash-preview/, 3.5 / 0.15, false],
  [/^gemini-2\.5-flash-lite/, 4, false],
  [/^gemini-(2\.5-flash|robotics-er-1\.5)/, 2.5 / 0.3, false],
  [/^gemini-3-pro-image/, 60, false],
  [/^gemini-3-pro/, 6, false],
  [/^gemini-/, 4, false],
  [/^command-r$/, 3, true],
  [/^command-r-plus$/, 5, true],
  [/^command-r(-plus)?-08-2024$/, 4, true],
  [/^command/, 4, false],
  [/^ERNIE-(Speed-|Lite-|Character|Functions)/, 2, true],
  [/^llama2-70b-4096$/, 0.8 / 0.64, true],
  [/^llama3-8b-8192$/, 2, true],
  [/^llama3-70b-8192$/, 0.79 / 0.59, true],
]

export function completionRatioByName(model: string): { readonly ratio: number; readonly fixed: boolean } {
  const [, ratio, fixed] = rules.find(([name]) => name.test(model)) ?? [null, 1, false]
  return { ratio, fixed }
}
