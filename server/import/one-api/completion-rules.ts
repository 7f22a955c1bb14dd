/** Output price against input by the name of a model, where no table has it. The first rule that fits counts. */
const rules: readonly (readonly [RegExp, number])[] = [
  [/^gpt-3\.5(-turbo$|.*0125$)/, 3],
  [/^gpt-3\.5.*1106$/, 2],
  [/^gpt-3\.5/, 4 / 3],
  [/^gpt-4o-2024-05-13$/, 3],
  [/^gpt-4o/, 4],
  [/^gpt-4(-turbo|.*preview$)/, 3],
  [/^gpt-4/, 2],
  [/^o1/, 4],
  [/^chatgpt-4o-latest$/, 3],
  [/^claude-3/, 5],
  [/^(claude|mistral|gemini)-/, 3],
  [/^deepseek-/, 2],
  [/^llama2-70b-4096$/, 0.8 / 0.64],
  [/^llama3-8b-8192$/, 2],
  [/^llama3-70b-8192$/, 0.79 / 0.59],
  [/^command(-light)?(-nightly)?$/, 2],
  [/^(command-r|grok-beta)$/, 3],
  [/^command-r-plus$/, 5],
  [/^ibm-granite\/granite-3\.0-2b-instruct$/, 8.333333333333334],
  [/^ibm-granite\/granite-(20b-code-instruct-8k|3\.0-8b-instruct|8b-code-instruct-128k)$/, 5],
  [/^meta\/(llama-2-(13|7)b(-chat)?|meta-llama-3-8b(-instruct)?)$/, 5],
  [/^meta\/(llama-2-70b(-chat)?|meta-llama-3-70b(-instruct)?)$/, 2.75 / 0.65],
  [/^mistralai\/mistral-7b-(instruct-v0\.2|v0\.1)$/, 5],
  [/^mistralai\/mixtral-8x7b-instruct-v0\.1$/, 1 / 0.3],
]

export const completionRatioByName = (model: string): number => rules.find(([name]) => name.test(model))?.[1] ?? 1
