import { objectOf } from '#server/lib/json.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'
import type { Measured, Offer } from './offer.ts'

/** Models that think without showing all of it, and bill it. */
const thinkUnseen =
  /^(o\d|gpt-[5-9](?!-chat)|gpt-[12]\d|codex|gemini-(?!1|2\.0)|grok-(?!2|3(?!-mini)|beta|vision|code))/
/** Models that think when asked to, and models that think unless it is switched off. */
const thinkWhenAsked = /^claude-/
const thinkUnasked = /^claude-[a-z]+-[5-9]/

/** The name without the prefix of its seller: `openai/o3`, `us.anthropic.claude-sonnet-4-5`. */
const bare = (model: string): string => model.slice(model.lastIndexOf('/') + 1).replace(/^([a-z-]+\.)?anthropic\./, '')

function asksToThink(body: JsonBody, unasked: boolean): boolean {
  const { thinking, reasoning, reasoning_effort, output_config, generationConfig, generation_config } = body
  if (objectOf(thinking)) return objectOf(thinking)?.type !== 'disabled'
  const inGemini = { ...objectOf(generation_config), ...objectOf(generationConfig) }
  const inWords = reasoning ?? reasoning_effort ?? objectOf(output_config)?.effort
  return unasked || Boolean(inWords ?? inGemini.thinkingConfig ?? inGemini.thinking_config)
}

/** Whether the client asks a model that usually shows its thoughts to hide them: they are billed all the same. */
const hidesThoughts = ({ reasoning, include_reasoning, reasoning_format }: JsonBody): boolean =>
  objectOf(reasoning)?.exclude === true || include_reasoning === false || reasoning_format === 'hidden'

/**
 * Whether what an answer uses is only known at its end: a plain answer, hidden thoughts, sound, pictures, what was foretold and did
 * not come true, tools that run at the vendor. Such an answer is read to its end though its client has left; every other is ended with it.
 */
export function isReadToEnd(
  { knownAs, price, surcharges }: Offer,
  { ask, extras, speaks, predicted }: Measured,
): boolean {
  if (!ask.stream || extras.hosted || surcharges.researches || speaks || predicted > 0) return true
  const name = bare(knownAs)
  if (thinkUnseen.test(name)) return true
  if (ask.payload.kind === 'json') {
    const { body } = ask.payload
    if (hidesThoughts(body)) return true
    if (thinkWhenAsked.test(name) && asksToThink(body, thinkUnasked.test(name))) return true
  }
  const { imageOutput, output } = price.tiers[0].ratios
  return imageOutput !== output || ask.entrance.door.operation.startsWith('image')
}

/** Whether only the vendor can tell how long the prompt was: it holds files, sound, or what lies elsewhere. */
export const isPromptUnseen = ({ size, recording }: Measured): boolean => size.isOpen || size.sound > 0 || recording > 0
