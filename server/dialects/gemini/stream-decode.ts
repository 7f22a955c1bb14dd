import { createGroundingReader } from '#server/dialects/beside-text/grounding.ts'
import { decodeLogprobsResult, withLogprobs } from '#server/dialects/beside-text/logprobs.ts'
import type { ChatEvent } from '#server/dialects/chat.ts'
import { choiceField } from '#server/dialects/collected-answer.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultEvents } from '#server/dialects/fault.ts'
import { finishReasonOf } from '#server/dialects/finish-reasons.ts'
import { newCallId } from '#server/dialects/prompt-parts.ts'
import { arrayOf, compact, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { type PartReader, partEvents } from './part-events.ts'
import { proofFromProvider } from './thought-signature.ts'
import { decodeUsage } from './usage.ts'

const upstreamParts: PartReader = { proof: proofFromProvider, callId: newCallId }

/** Queries the model searched the web with before it answered; grounding that names none was one. */
function searchesIn(candidates: readonly unknown[]): number {
  let searches = 0
  for (const candidate of candidates) {
    const grounding = objectOf(objectOf(candidate)?.groundingMetadata)
    searches += arrayOf(grounding?.webSearchQueries).length || Math.min(1, arrayOf(grounding?.groundingChunks).length)
  }
  return searches
}

const blockedEnd: ChatEvent = { type: 'finish', reason: 'content-filter' }

const refusalEvents = (reason: unknown, choice: number): ChatEvent[] => {
  const text = textOf(reason)
  return text ? [{ type: 'refusal-delta', text, ...choiceField(choice) }] : []
}

/** Ends with a call that Google could not read, and says in words what was wrong. */
const badCalls: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
])

function endEvents(word: string, { finishMessage }: JsonObject, choice: number, madeCalls: boolean): ChatEvent[] {
  const reason = finishReasonOf('gemini', word, madeCalls)
  const at = choiceField(choice)
  const text = badCalls.has(word) ? textOf(finishMessage) : undefined
  return [
    ...(text ? [{ type: 'text-delta' as const, text, ...at }] : []),
    ...(reason === 'content-filter' ? refusalEvents(finishMessage, choice) : []),
    { type: 'finish', reason, ...at },
  ]
}

/** Reads chunks of one stream, or one whole answer: both have the same form. */
export function createChunkReader(): (chunk: JsonObject) => ChatEvent[] {
  const calls = new Map<number, number>()
  const grounding = createGroundingReader()
  let started = false
  let searches = 0

  const candidateEvents = (candidate: JsonObject): ChatEvent[] => {
    const choice = numberOf(candidate.index) ?? 0
    const said: ChatEvent[] = []
    for (const entry of arrayOf(objectOf(candidate.content)?.parts)) {
      const made = calls.get(choice) ?? 0
      const found = partEvents(objectOf(entry) ?? {}, made, choice, upstreamParts)
      if (found[0]?.type === 'tool-call-start') calls.set(choice, made + 1)
      said.push(...found)
    }
    const events = withLogprobs(said, decodeLogprobsResult(candidate.logprobsResult), choice)
    grounding.say(choice, said)
    for (const citation of grounding.cite(choice, objectOf(candidate.groundingMetadata)))
      events.push({ type: 'citation', citation, ...choiceField(choice) })
    const word = textOf(candidate.finishReason)
    if (word) events.push(...endEvents(word, candidate, choice, (calls.get(choice) ?? 0) > 0))
    return events
  }

  return (chunk) => {
    if (chunk.error) return faultEvents(faultOfBody(200, chunk))
    const events: ChatEvent[] = []
    if (!started) {
      started = true
      events.push(compact({ type: 'start' as const, id: textOf(chunk.responseId), model: textOf(chunk.modelVersion) }))
    }
    const candidates = arrayOf(chunk.candidates)
    for (const candidate of candidates) events.push(...candidateEvents(objectOf(candidate) ?? {}))
    const feedback = candidates.length === 0 ? objectOf(chunk.promptFeedback) : undefined
    if (feedback?.blockReason) events.push(...refusalEvents(feedback.blockReasonMessage, 0), blockedEnd)
    searches = Math.max(searches, searchesIn(candidates))
    const usage = decodeUsage(chunk.usageMetadata)
    if (usage) events.push({ type: 'usage', usage: searches > 0 ? { ...usage, webSearch: searches } : usage })
    return events
  }
}
