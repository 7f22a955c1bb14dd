import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { effortOf } from '#server/dialects/reasoning-effort.ts'
import { arrayOf, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { type Ask, bodyOf } from '#server/relay/request/ask.ts'
import { type Overrides, overriddenFields } from '#server/relay/routing/overrides.ts'

type Fields = Readonly<Record<string, unknown>>

/** What of a request decides between OpenAI's two APIs. */
export interface ChatWishes {
  readonly hasTools: boolean
  /** Null where none is named. */
  readonly effort: string | null
  /** A field that chat knows and responses lack, by the name its client gave it. */
  readonly lacked: string | null
  /** The way of being served that only responses know. */
  readonly isUltrafast: boolean
}

const noWishes: ChatWishes = { hasTools: false, effort: null, lacked: null, isUltrafast: false }

/** Read in chat's words, with what the channel overrides. */
export function chatWishes(ask: Ask, overrides: Overrides | null): ChatWishes {
  const body = bodyOf(ask)
  if (!sets(overrides, 'tools') && !sets(overrides, 'service_tier') && asksForNothing(body)) return noWishes
  const dialect = ask.entrance.door.dialect.id
  const inChat = dialect === openaiChat.id ? body : asChat(ask)
  const fields = overrides ? overriddenFields(inChat, overrides) : inChat
  const isUltrafast = fields.service_tier === 'ultrafast'
  if (!arrayOf(fields.tools).some(isClientTool)) return isUltrafast ? { ...noWishes, isUltrafast } : noWishes
  const lacked = Object.keys(isWished).find((name) => isWished[name]?.(fields[name]))
  return {
    hasTools: true,
    isUltrafast,
    effort: effortIn(fields),
    lacked: lacked === undefined ? null : (ownNames[dialect]?.[lacked] ?? lacked),
  }
}

const sets = (overrides: Overrides | null, name: string): boolean =>
  overrides !== null && (name in overrides.set || name in overrides.default)

const asksForNothing = ({ tools, service_tier }: Fields): boolean =>
  arrayOf(tools).length === 0 && service_tier !== 'ultrafast'

/**
 * Without its messages, which decide nothing. A request that cannot be read asks for nothing here: whoever writes it says what is
 * wrong with it.
 */
function asChat(ask: Ask): Fields {
  try {
    const request = ask.entrance.door.dialect.decodeRequest(bodyOf(ask))
    return openaiChat.encodeRequest({ ...request, messages: [] }) as Fields
  } catch {
    return {}
  }
}

function isClientTool(tool: unknown): boolean {
  const type = objectOf(tool)?.type ?? 'function'
  return type === 'function' || type === 'custom'
}

function effortIn({ reasoning_effort, reasoning }: Fields): string | null {
  const { effort, max_tokens } = objectOf(reasoning) ?? {}
  const budgetTokens = numberOf(max_tokens)
  const word = textOf(reasoning_effort) || textOf(effort)
  return word || (budgetTokens === undefined ? null : (effortOf({ budgetTokens }) ?? null))
}

const isNumber = (value: unknown, least: number): boolean => typeof value === 'number' && value > least
const isPenalty = (value: unknown): boolean => typeof value === 'number' && value !== 0
const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/** The fields that responses lack, and whether a value wishes for something. `seed` and penalties of 0 are missed by nobody. */
const isWished: Readonly<Record<string, (value: unknown) => boolean>> = {
  stop: (value) => isPresent(value) && value !== '' && !(Array.isArray(value) && value.length === 0),
  n: (value) => isNumber(value, 1),
  logit_bias: (value) => Object.keys(objectOf(value) ?? {}).length > 0,
  logprobs: (value) => value === true,
  prediction: isPresent,
  audio: isPresent,
  presence_penalty: isPenalty,
  frequency_penalty: isPenalty,
}

/** What other dialects call them. */
const ownNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'anthropic-messages': { stop: 'stop_sequences' },
  gemini: {
    stop: 'stopSequences',
    n: 'candidateCount',
    logprobs: 'responseLogprobs',
    presence_penalty: 'presencePenalty',
    frequency_penalty: 'frequencyPenalty',
  },
}
