import type { Tool } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'

export type ItemFields = { [key: string]: Json | undefined }

export interface OpenItem {
  readonly id: string
  readonly at: number
}

export interface OpenPart {
  readonly type: 'output_text' | 'refusal'
  text: string
  /** Characters of the answer's text before it. */
  readonly from: number
  readonly annotations: Json[]
  readonly logprobs: Json[]
}

export interface OpenMessage extends OpenItem {
  readonly contents: Json[]
  part?: OpenPart
}

export interface OpenReasoning extends OpenItem {
  text: string
}

export interface OpenCall extends OpenItem {
  readonly callId: string
  readonly name: string
  readonly namespace?: string
  /** The call's argument is free text. */
  readonly takesText: boolean
  arguments: string
}

/** The output of one response while it is written. Calls stay open side by side, for their arguments may come interleaved. */
export interface Output {
  readonly emit: (type: string, fields: ItemFields) => void
  readonly idOf: (prefix: string, at: number) => string
  /** The tool a model calls by this name. */
  readonly toolOf: (name: string) => Tool | undefined
  readonly items: Json[]
  readonly calls: Map<number, OpenCall>
  message?: OpenMessage
  reasoning?: OpenReasoning
  made: number
  /** The status items get when they are closed: `incomplete` for those still open when the answer was cut. */
  ending: 'completed' | 'incomplete'
  /** Characters of text written so far. */
  said: number
}

export function newItem(output: Output, prefix: string): OpenItem {
  const at = output.made++
  return { id: output.idOf(prefix, at), at }
}

export function announceItem(output: Output, item: OpenItem, json: ItemFields): void {
  output.emit('response.output_item.added', { output_index: item.at, item: json })
}

export function finishItem(output: Output, item: OpenItem, json: ItemFields): void {
  output.items[item.at] = json
  output.emit('response.output_item.done', { output_index: item.at, item: json })
}
