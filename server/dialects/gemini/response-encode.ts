import { encodeGrounding } from '#server/dialects/beside-text/grounding.ts'
import { encodeLogprobsResult } from '#server/dialects/beside-text/logprobs.ts'
import type { AssistantPart, ChatEvent, ChatRequest, FinishReason } from '#server/dialects/chat.ts'
import { type Choice, collectAnswer } from '#server/dialects/collected-answer.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { geminiFinish } from '#server/dialects/finish-reasons.ts'
import { prefixedId } from '#server/dialects/prefixed-id.ts'
import { isWholeCall } from '#server/dialects/prompt-parts.ts'
import { untag } from '#server/dialects/signature.ts'
import { compact, parseObject } from '#server/lib/json.ts'
import { encodeMedia } from './media.ts'
import { redactedToClient, signatureToClient } from './thought-signature.ts'
import { encodeUsage } from './usage.ts'

type ToolCall = Extract<AssistantPart, { type: 'tool-call' }>

export function callPart({ id, name, arguments: text, signature }: Omit<ToolCall, 'type'>): Json {
  const call = { functionCall: { id, name, args: parseObject(text) as Json } }
  return signature === undefined ? call : { ...call, thoughtSignature: signature }
}

/** Calls are whole in this format: one that the limit cut in two would be run without its arguments. */
export const isShown = (call: Pick<ToolCall, 'arguments'>, finish: FinishReason | undefined): boolean =>
  finish !== 'length' || isWholeCall(call)

/** Marked as a thought only if it carries another provider's proof, which belongs to the thought before it. */
export function proofPart(signature: string): Json {
  const isOwn = untag('gemini', signature) !== undefined
  return { text: '', ...(isOwn ? {} : { thought: true }), thoughtSignature: signatureToClient(signature) }
}

export const redactedPart = (tagged: string): Json => ({
  text: '',
  thought: true,
  thoughtSignature: redactedToClient(tagged),
})

function encodePart(part: AssistantPart): Json[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'reasoning': {
      if (part.redacted !== undefined) return [redactedPart(part.redacted)]
      const thought: Json[] = part.text === '' ? [] : [{ text: part.text, thought: true }]
      return part.signature === undefined ? thought : [...thought, proofPart(part.signature)]
    }
    case 'tool-call':
      return [callPart(part)]
    case 'image':
      return [encodeMedia(part)]
  }
}

function encodeCandidate(choice: Choice, index: number): Json {
  const finishReason = choice.finish === undefined ? {} : { finishReason: geminiFinish[choice.finish] }
  const shown = choice.parts.filter((part) => part.type !== 'tool-call' || isShown(part, choice.finish))
  const content = { role: 'model', parts: shown.flatMap(encodePart) }
  const text = choice.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return {
    content,
    ...finishReason,
    index,
    ...encodeLogprobsResult(choice.logprobs),
    ...encodeGrounding(text, choice.citations),
  }
}

export function encodeResponse(events: readonly ChatEvent[], request: ChatRequest): Json {
  const answer = collectAnswer(events)
  return compact({
    candidates: answer.choices.map(encodeCandidate),
    usageMetadata: answer.usage && encodeUsage(answer.usage),
    modelVersion: answer.model ?? request.model,
    responseId: prefixedId('', answer.id),
  })
}
