import type { ReasoningPart } from '#server/dialects/chat.ts'
import { compact } from '#server/lib/json.ts'
import { proofToClient } from './encrypted-content.ts'
import { announceItem, finishItem, newItem, type OpenReasoning, type Output } from './output.ts'

function where(reasoning: OpenReasoning) {
  return { item_id: reasoning.id, output_index: reasoning.at, summary_index: 0 }
}

export function openReasoning(output: Output): OpenReasoning {
  const reasoning: OpenReasoning = { ...newItem(output, 'rs_'), text: '' }
  output.reasoning = reasoning
  announceItem(output, reasoning, { type: 'reasoning', id: reasoning.id, summary: [] })
  return reasoning
}

export function writeThought(output: Output, reasoning: OpenReasoning, text: string): void {
  if (reasoning.text === '') {
    const part = { type: 'summary_text', text: '' }
    output.emit('response.reasoning_summary_part.added', { ...where(reasoning), part })
  }
  reasoning.text += text
  output.emit('response.reasoning_summary_text.delta', { ...where(reasoning), delta: text })
}

export function closeReasoning(output: Output, proof: Pick<ReasoningPart, 'signature' | 'redacted'>): void {
  const { reasoning } = output
  if (!reasoning) return
  const part = { type: 'summary_text', text: reasoning.text }
  if (reasoning.text !== '') {
    output.emit('response.reasoning_summary_text.done', { ...where(reasoning), text: reasoning.text })
    output.emit('response.reasoning_summary_part.done', { ...where(reasoning), part })
  }
  const { id = reasoning.id, encrypted } = proofToClient(proof) ?? {}
  const summary = reasoning.text === '' ? [] : [part]
  finishItem(output, reasoning, compact({ type: 'reasoning', id, summary, encrypted_content: encrypted }))
  output.reasoning = undefined
}
