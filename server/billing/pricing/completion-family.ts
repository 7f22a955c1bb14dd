/** Output price ÷ input price of model families, for names that no list knows. The first match counts. */
const families: readonly (readonly [RegExp, number])[] = [
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, 3],
  [/^gpt-3\.5.*1106$/, 2],
  [/^gpt-3\.5/, 1.3333],
  [/^gpt-4o-2024-05-13$|^chatgpt-4o-latest$/, 3],
  [/^gpt-4o/, 4],
  [/^gpt-4-turbo|^gpt-4.*preview$/, 3],
  [/^gpt-4/, 2],
  [/^o1/, 4],
  [/^claude-3/, 5],
  [/^(claude|mistral|gemini)-/, 3],
  [/^deepseek-/, 2],
  [/^llama2-70b-4096$/, 1.142857],
  [/^llama3-8b-8192$/, 2],
  [/^llama3-70b-8192$/, 1.338983],
  [/^command-r$/, 3],
  [/^command-r-plus$/, 5],
  [/^command(-light)?(-nightly)?$/, 2],
]

export function completionRatioOfFamily(model: string): number {
  return families.find(([name]) => name.test(model))?.[1] ?? 1
}
