import type { ChatEvent, LikelyToken, TokenLogprobs } from '#server/dialects/chat.ts'
import { choiceField } from '#server/dialects/collected-answer.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { arrayOf, compact, numberOf, objectOf, textOf } from '#server/lib/json.ts'

const bytesOf = (token: string): number[] => [...new TextEncoder().encode(token)]

function likelyToken(value: unknown): LikelyToken {
  const wire = objectOf(value) ?? {}
  const token = textOf(wire.token) ?? ''
  const bytes = Array.isArray(wire.bytes) ? wire.bytes.filter((byte) => typeof byte === 'number') : bytesOf(token)
  return { token, logprob: numberOf(wire.logprob) ?? 0, bytes }
}

/** The tokens of OpenAI's two formats, which write them alike. */
export function decodeLogprobs(list: unknown): TokenLogprobs[] {
  return arrayOf(list).map((entry) => ({
    ...likelyToken(entry),
    top: arrayOf(objectOf(entry)?.top_logprobs).map(likelyToken),
  }))
}

const encodeToken = ({ token, logprob, bytes }: LikelyToken) => ({ token, logprob, bytes: [...bytes] })

export function encodeLogprobs(tokens: readonly TokenLogprobs[] | undefined): Json[] {
  return (tokens ?? []).map((token) => ({ ...encodeToken(token), top_logprobs: token.top.map(encodeToken) }))
}

const geminiToken = (value: unknown): LikelyToken => {
  const wire = objectOf(value) ?? {}
  return likelyToken({ token: wire.token, logprob: wire.logProbability })
}

/** Gemini lists what was chosen apart from what could have been. */
export function decodeLogprobsResult(value: unknown): TokenLogprobs[] {
  const { chosenCandidates, topCandidates } = objectOf(value) ?? {}
  const tops = arrayOf(topCandidates)
  return arrayOf(chosenCandidates).map((chosen, at) => ({
    ...geminiToken(chosen),
    top: arrayOf(objectOf(tops[at])?.candidates).map(geminiToken),
  }))
}

const encodeGeminiToken = ({ token, logprob }: LikelyToken) => ({ token, logProbability: logprob })

export function encodeLogprobsResult(tokens: readonly TokenLogprobs[] | undefined): { logprobsResult?: Json } {
  if (!tokens?.length) return {}
  const candidates = tokens.map(({ top }) => ({ candidates: top.map(encodeGeminiToken) }))
  return { logprobsResult: { chosenCandidates: tokens.map(encodeGeminiToken), topCandidates: candidates } }
}

/** The events of a piece of an answer, its tokens with the first text in it; without any, with a text of their own. */
export function withLogprobs(events: ChatEvent[], tokens: readonly TokenLogprobs[], choice: number): ChatEvent[] {
  if (tokens.length === 0) return events
  const at = events.findIndex(({ type }) => type === 'text-delta')
  const text = events[at]
  if (text?.type !== 'text-delta')
    return [...events, { type: 'text-delta', text: '', logprobs: tokens, ...choiceField(choice) }]
  return events.with(at, compact({ ...text, logprobs: tokens }))
}
