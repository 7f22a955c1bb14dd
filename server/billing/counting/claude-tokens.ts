import { objectOf, textOf } from '#server/lib/json.ts'

/** Claude from 4.7 on, which cuts text finer than it did before. */
const finer = /(?:^|[/.])claude-[a-z]+-(?:4[.-][7-9](?!\d)|[5-9]|\d\d)/
const claude = /(?:^|[/.])claude-/

/** How many tokens a model makes of what is one to OpenAI's: 2.5 letters are a token of Claude, before 4.7 it was 3.4. */
export function timesOpenaiTokens(model: string): number {
  if (finer.test(model)) return 1.7
  return claude.test(model) ? 1.3 : 1
}

/** What Claude reads of how tools are called, and of each tool that Anthropic defines, at most. */
const callingTokens = 900
const definedToolTokens = 1300

const isDefined = (tool: unknown): boolean => !['custom', 'function', ''].includes(textOf(objectOf(tool)?.type) ?? '')

/** Tokens its vendor adds to a prompt with tools, beside what their definitions say. */
export function toolPromptTokens(model: string, tools: readonly unknown[]): number {
  if (tools.length === 0 || !claude.test(model)) return 0
  return callingTokens + tools.filter(isDefined).length * definedToolTokens
}
