import { createCitationReader } from '#server/dialects/beside-text/citations.ts'
import { decodeLogprobs, withLogprobs } from '#server/dialects/beside-text/logprobs.ts'
import type { ChatEvent, FinishReason, Usage } from '#server/dialects/chat.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { faultEvents } from '#server/dialects/fault.ts'
import { servingTier } from '#server/dialects/vendor-report.ts'
import { arrayOf, compact, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { dataUrl } from '#server/lib/network/data-url.ts'
import { words } from '#server/lib/words.ts'
import { sealProof } from './encrypted-content.ts'
import { reasoningWords } from './items-decode.ts'
import { decodeUsage } from './usage.ts'

interface OpenedCall {
  readonly index: number
  streamed: boolean
}

function startEvents(response: JsonObject): ChatEvent[] {
  const created = numberOf(response.created_at)
  return [compact({ type: 'start' as const, id: textOf(response.id), model: textOf(response.model), created })]
}

function faultOfResponse(error: unknown): ChatEvent[] {
  return faultEvents(faultOfBody(200, { error: objectOf(error) ?? { message: textOf(error) } }))
}

function finishReason(response: JsonObject, madeCalls: boolean): FinishReason {
  if (response.status !== 'incomplete') return madeCalls ? 'tool-calls' : 'stop'
  return objectOf(response.incomplete_details)?.reason === 'content_filter' ? 'content-filter' : 'length'
}

function endEvents(response: JsonObject, madeCalls: boolean): ChatEvent[] {
  const usage = decodeUsage(response.usage)
  const report: ChatEvent[] = usage ? [{ type: 'usage', usage: { ...usage, ...paidBeside(response) } }] : []
  if (response.error || response.status === 'failed') return [...report, ...faultOfResponse(response.error)]
  return [{ type: 'finish', reason: finishReason(response, madeCalls) }, ...report]
}

/** What the vendor takes beside the tokens: how it served the request, and the tools it ran itself. */
function paidBeside(response: JsonObject): Partial<Usage> {
  const items = arrayOf(response.output).map((item) => objectOf(item) ?? {})
  const calls = (type: string) => items.filter((item) => item.type === type)
  const searches = calls('web_search_call').filter((item) => (objectOf(item.action)?.type ?? 'search') === 'search')
  const sessions = new Set(calls('code_interpreter_call').map((item, at) => textOf(item.container_id) ?? at))
  return compact({
    tier: servingTier(response.service_tier),
    webSearch: searches.length || undefined,
    fileSearch: calls('file_search_call').length || undefined,
    codeSession: sessions.size || undefined,
  })
}

type CitationReader = ReturnType<typeof createCitationReader>

function textEvents(text: string, list: unknown): ChatEvent[] {
  return withLogprobs(text === '' ? [] : [{ type: 'text-delta', text }], decodeLogprobs(list), 0)
}

function messageEvents(item: JsonObject, at: number, citations: CitationReader): ChatEvent[] {
  return arrayOf(item.content).flatMap((entry, index): ChatEvent[] => {
    const part = objectOf(entry)
    const text = textOf(part?.text) ?? ''
    const refusal = textOf(part?.refusal)
    if (refusal) return [{ type: 'refusal-delta', text: refusal }]
    const key = `${at}.${index}`
    citations.say(key, text)
    return [...textEvents(text, part?.logprobs), ...citations.cite(key, arrayOf(part?.annotations))]
  })
}

function proofEvents(item: JsonObject): ChatEvent[] {
  const encrypted = textOf(item.encrypted_content)
  if (!encrypted) return []
  return [{ type: 'reasoning-signature', signature: sealProof(textOf(item.id) ?? '', encrypted) }]
}

function imageEvents(item: JsonObject): ChatEvent[] {
  const picture = textOf(item.result)
  const format = textOf(item.output_format) ?? 'png'
  return picture ? [{ type: 'image', url: dataUrl(`image/${format}`, picture) }] : []
}

/** Calls of the client's own tools: with arguments, or with plain text. */
const isCall = ({ type }: JsonObject): boolean => type === 'function_call' || type === 'custom_tool_call'

function createCalls() {
  const calls = new Map<number, OpenedCall>()
  const open = (item: JsonObject, at: number): ChatEvent[] => {
    if (calls.has(at)) return []
    const call = { index: calls.size, streamed: false }
    calls.set(at, call)
    const id = textOf(item.call_id) ?? textOf(item.id) ?? ''
    return [{ type: 'tool-call-start', index: call.index, id, name: textOf(item.name) ?? '' }]
  }
  const add = (delta: string, at: number): ChatEvent[] => {
    const call = calls.get(at)
    if (!call || delta === '') return []
    call.streamed = true
    return [{ type: 'tool-call-delta', index: call.index, arguments: delta }]
  }
  /** Events for arguments of a call that were not streamed before. */
  const close = (item: JsonObject, at: number): ChatEvent[] => {
    const opened = open(item, at)
    return calls.get(at)?.streamed
      ? opened
      : [...opened, ...add(textOf(item.arguments) ?? textOf(item.input) ?? '', at)]
  }
  return { open, add, close, made: () => calls.size > 0 }
}

const wordDeltas = words<'refusal-delta' | 'reasoning-delta'>({
  'response.refusal.delta': 'refusal-delta',
  'response.reasoning_summary_text.delta': 'reasoning-delta',
  'response.reasoning_text.delta': 'reasoning-delta',
})

function errorOf(event: JsonObject): unknown {
  return event.error ?? compact({ code: event.code, message: event.message, param: event.param })
}

/** Whether the body is a response at all: it has output, usage or an error. */
const isResponse = ({ output, usage, error, status }: JsonObject): boolean =>
  Array.isArray(output) || Boolean(usage ?? error) || status === 'failed'

/** Reads one answer, streamed event by event or whole. */
export function createResponseReader() {
  const calls = createCalls()
  const citations = createCitationReader()

  const closeItem = (item: JsonObject, at: number): ChatEvent[] => {
    if (isCall(item)) return calls.close(item, at)
    if (item.type === 'reasoning') return proofEvents(item)
    return item.type === 'image_generation_call' ? imageEvents(item) : []
  }
  const event = (event: JsonObject): ChatEvent[] => {
    const at = numberOf(event.output_index) ?? 0
    const part = `${at}.${numberOf(event.content_index) ?? 0}`
    const item = objectOf(event.item) ?? {}
    const delta = textOf(event.delta) ?? ''
    const words = wordDeltas[String(event.type)]
    if (words) return delta === '' ? [] : [{ type: words, text: delta }]
    switch (event.type) {
      case 'response.created':
        return startEvents(objectOf(event.response) ?? {})
      case 'response.output_text.delta':
        citations.say(part, delta)
        return textEvents(delta, event.logprobs)
      case 'response.output_text.annotation.added':
        return citations.cite(part, [event.annotation])
      case 'response.content_part.done':
        return citations.rest(part, arrayOf(objectOf(event.part)?.annotations))
      case 'response.output_item.added':
        return isCall(item) ? calls.open(item, at) : []
      case 'response.output_item.done':
        return closeItem(item, at)
      case 'response.reasoning_summary_part.added':
        return numberOf(event.summary_index) ? [{ type: 'reasoning-delta', text: '\n\n' }] : []
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return calls.add(delta, at)
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return endEvents(objectOf(event.response) ?? {}, calls.made())
      default:
        return event.type === 'error' || event.error ? faultOfResponse(errorOf(event)) : []
    }
  }
  const itemEvents = (item: JsonObject, at: number): ChatEvent[] => {
    if (item.type === 'message') return messageEvents(item, at, citations)
    const words = item.type === 'reasoning' ? reasoningWords(item) : ''
    const thought: ChatEvent[] = words === '' ? [] : [{ type: 'reasoning-delta', text: words }]
    return [...thought, ...closeItem(item, at)]
  }
  const response = (response: JsonObject): ChatEvent[] => {
    if (response.error && response.object !== 'response') return faultOfResponse(response.error)
    if (!isResponse(response)) return []
    const items = arrayOf(response.output).flatMap((item, at) => itemEvents(objectOf(item) ?? {}, at))
    return [...startEvents(response), ...items, ...endEvents(response, calls.made())]
  }
  return { event, response }
}
