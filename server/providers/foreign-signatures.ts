import { isForeignCitation } from '#server/dialects/beside-text/claude-citations.ts'
import { isTagged } from '#server/dialects/signature.ts'
import { arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { type EntryChange, inside, withList } from './changed-lists.ts'
import { foreignCall } from './gemini/models.ts'
import type { Body } from './provider.ts'

const isForeign = (proof: unknown): boolean => proof === undefined || proof === '' || isTagged(textOf(proof) ?? '')

/** A text without citations of other vendors; null when it held nothing else. */
function withOwnCitations(block: JsonObject): JsonObject | null {
  const list = arrayOf(block.citations)
  if (!list.some(isForeignCitation)) return block
  const { citations: _, ...bare } = block
  const own = list.filter((each) => !isForeignCitation(each))
  if (own.length > 0) return { ...bare, citations: own }
  return textOf(block.text)?.trim() === '' ? null : bare
}

const ownThought: EntryChange = (block) => {
  if (block.type === 'text') return withOwnCitations(block)
  if (block.type === 'thinking') return isForeign(block.signature) ? null : block
  if (block.type === 'redacted_thinking') return isForeign(block.data) ? null : block
  return block
}

/**
 * A conversation that moves from one provider to another takes the proofs of its thoughts along. A body that passes through
 * untouched otherwise goes without those that came from elsewhere: each provider refuses what it did not sign.
 */
export function ownAnthropicThoughts(body: Body): Body {
  const own = withList(body, 'messages', inside('content', ownThought))
  return own !== body && goesOnWithoutThoughts(own) ? withoutThinking(own) : own
}

const thoughts: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking'])

/** With a budget Claude goes on from calls only after the thoughts that led to them. */
function goesOnWithoutThoughts({ thinking, messages }: Body): boolean {
  if (objectOf(thinking)?.type !== 'enabled') return false
  const last = objectOf(arrayOf(messages).findLast((message) => objectOf(message)?.role === 'assistant'))
  const types = arrayOf(last?.content).map((block) => objectOf(block)?.type)
  return types.includes('tool_use') && !thoughts.has(types[0])
}

/** Nor may its thoughts be cleared then. */
function withoutThinking({ thinking: _, ...body }: Body): Body {
  const management = objectOf(body.context_management) as Body | undefined
  if (!management) return body
  const isOther: EntryChange = (edit) => (textOf(edit.type)?.startsWith('clear_thinking') ? null : edit)
  return { ...body, context_management: withList(management, 'edits', isOther) }
}

/** Reasoning without any proof is the client's business: providers that stored it know it by its id. */
export const ownResponsesThoughts = (body: Body): Body =>
  withList(body, 'input', (item) =>
    item.type === 'reasoning' && isTagged(textOf(item.encrypted_content) ?? '') ? null : item,
  )

const ownPart: EntryChange = (part) => {
  const field = 'thoughtSignature' in part ? 'thoughtSignature' : 'thought_signature'
  if (!isTagged(textOf(part[field]) ?? '')) return part
  const { [field]: _, ...bare } = part
  const isCall = 'functionCall' in part || 'function_call' in part
  return isCall ? { ...bare, [field]: foreignCall } : bare
}

export const ownGeminiThoughts = (body: Body): Body => withList(body, 'contents', inside('parts', ownPart))

const isForeignDetail = (detail: unknown): boolean => {
  const { signature, data } = objectOf(detail) ?? {}
  return isTagged(textOf(signature) ?? textOf(data) ?? '')
}

export const ownChatThoughts = (body: Body): Body =>
  withList(body, 'messages', (message) => {
    const details = arrayOf(message.reasoning_details)
    const own = details.filter((detail) => !isForeignDetail(detail))
    if (own.length === details.length) return message
    const { reasoning_details: _, ...rest } = message
    return own.length === 0 ? rest : { ...rest, reasoning_details: own }
  })

const addedFields = ['reasoning_content', 'reasoning', 'reasoning_details', 'images'] as const

const unsignedCalls = inside('tool_calls', (call) => {
  if (!('extra_content' in call)) return call
  const { extra_content, ...plain } = call
  return plain
})

/** Messages without what other vendors add to the format, for those that refuse fields they do not know. */
export const withoutAddedFields = (body: Body): Body =>
  withList(body, 'messages', (message) => {
    const unsigned = unsignedCalls(message) ?? message
    if (!addedFields.some((field) => field in unsigned)) return unsigned
    const { reasoning_content, reasoning, reasoning_details, images, ...plain } = unsigned
    // Nothing is left of a turn of thoughts or pictures alone.
    return plain.role === 'assistant' && !plain.content && !plain.refusal && arrayOf(plain.tool_calls).length === 0
      ? null
      : plain
  })
