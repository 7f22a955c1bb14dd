import { objectOf } from '#server/lib/json.ts'
import type { ThinksBeside } from '#server/providers/provider.ts'

/** The longest thoughts of each family, as of 2026-11. */
const longest: readonly (readonly [RegExp, number])[] = [
  [/^qwen3\.(7-plus|[89])|^qwen[4-9]/, 262_144],
  [/^qwen3\.(6-flash|7)/, 131_072],
  [/^/, 81_920],
]

/** Models that do not think, and models that think only when they are asked to. */
const neverThinks = /-(coder|instruct)/
const thinksWhenAsked = /^qwen-(plus|turbo|flash|max|long)|^qwen3-(max|vl-(plus|flash))/

/** `max_tokens` is the limit of the answer alone; thoughts have their own in `thinking_budget`. */
export const thinksBeside: ThinksBeside = (model, { dialect, body }) => {
  const { enable_thinking: isOn, thinking_budget: budget, reasoning_effort: effort, chat_template_kwargs } = body
  const { thinking, reasoning, output_config, generationConfig, generation_config } = body
  const isOpenai = dialect === 'openai-chat'
  const isOff = isOpenai
    ? (isOn ?? (effort === 'none' ? false : undefined)) === false
    : objectOf(thinking)?.type === 'disabled'
  const asked = isOpenai
    ? (isOn ?? budget ?? effort ?? chat_template_kwargs)
    : (thinking ?? reasoning ?? output_config ?? generationConfig ?? generation_config)
  if (isOff || neverThinks.test(model) || ((asked ?? null) === null && thinksWhenAsked.test(model))) return 0
  const most = longest.find(([family]) => family.test(model))?.[1] ?? 0
  return isOpenai && typeof budget === 'number' && budget > 0 ? Math.min(Math.ceil(budget), most) : most
}
