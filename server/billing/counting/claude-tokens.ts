/** Claude from 4.7 on, which cuts text finer than it did before. */
const finer = /(?:^|[/.])claude-[a-z]+-(?:4[.-][7-9](?!\d)|[5-9]|\d\d)/
const claude = /(?:^|[/.])claude-/

/** How many tokens a model makes of what is one to OpenAI's: 2.5 letters are a token of Claude, before 4.7 it was 3.4. */
export function timesOpenaiTokens(model: string): number {
  if (finer.test(model)) return 1.7
  return claude.test(model) ? 1.3 : 1
}
