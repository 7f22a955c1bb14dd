import type { ChatEvent, ReasoningPart } from '#server/dialects/chat.ts'
import { tagCall } from '#server/dialects/signature.ts'
import { parseDataUrl } from '#server/lib/network/data-url.ts'
import { announceItem, finishItem, newItem, type Output } from './output.ts'
import { closeCalls, closeWholeCalls, openCall, writeArguments } from './write-call.ts'
import { closeMessage, openMessage, writeCitation, writeRefusal, writeText } from './write-message.ts'
import { closeReasoning, openReasoning, writeThought } from './write-reasoning.ts'

type ContentEvent = Exclude<ChatEvent, { type: 'start' | 'usage' | 'fault' | 'finish' }>

export function closeItems(output: Output): void {
  closeMessage(output)
  closeReasoning(output, {})
  closeCalls(output)
}

/** Makes room for an item: a call whose arguments are still coming stays open beside it. */
function makeRoom(output: Output): void {
  closeMessage(output)
  closeReasoning(output, {})
  closeWholeCalls(output)
}

function messageOf(output: Output) {
  if (output.message) return output.message
  makeRoom(output)
  return openMessage(output)
}

function reasoningOf(output: Output) {
  if (output.reasoning) return output.reasoning
  makeRoom(output)
  return openReasoning(output)
}

function writeProof(output: Output, proof: Pick<ReasoningPart, 'signature' | 'redacted'>): void {
  reasoningOf(output)
  closeReasoning(output, proof)
}

function writeCall(output: Output, event: Extract<ChatEvent, { type: 'tool-call-start' }>): void {
  closeMessage(output)
  closeReasoning(output, {})
  if (event.signature !== undefined) writeProof(output, { signature: tagCall(event.signature) })
  openCall(output, event)
}

function writeImage(output: Output, url: string): void {
  makeRoom(output)
  const item = newItem(output, 'ig_')
  const json = { type: 'image_generation_call', id: item.id }
  announceItem(output, item, { ...json, status: 'in_progress', result: null })
  finishItem(output, item, { ...json, status: 'completed', result: parseDataUrl(url)?.base64 ?? url })
}

/** Writes what an event adds to the output, opening and closing items as their kind changes. */
export function writeEvent(output: Output, event: ContentEvent): void {
  switch (event.type) {
    case 'text-delta':
      writeText(output, messageOf(output), event)
      return
    case 'refusal-delta':
      writeRefusal(output, messageOf(output), event.text)
      return
    case 'citation':
      writeCitation(output, messageOf(output), event.citation)
      return
    case 'reasoning-delta':
      writeThought(output, reasoningOf(output), event.text)
      return
    case 'reasoning-signature':
      writeProof(output, { signature: event.signature })
      return
    case 'reasoning-redacted':
      makeRoom(output)
      writeProof(output, { redacted: event.data })
      return
    case 'tool-call-start':
      writeCall(output, event)
      return
    case 'tool-call-delta':
      writeArguments(output, event.index, event.arguments)
      return
    case 'image':
      writeImage(output, event.url)
  }
}
