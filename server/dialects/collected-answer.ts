import type { AssistantPart, ChatEvent, Citation, FinishReason, TokenLogprobs, Usage } from './chat.ts'

export interface Choice {
  readonly parts: readonly AssistantPart[]
  readonly logprobs?: readonly TokenLogprobs[]
  readonly citations?: readonly Citation[]
  readonly finish?: FinishReason
  readonly stopSequence?: string
}

/** A whole answer, put together from its events. */
export interface CollectedAnswer {
  readonly id?: string
  readonly model?: string
  readonly created?: number
  readonly choices: readonly Choice[]
  readonly usage?: Usage
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type DraftPart = Writable<AssistantPart>

interface Draft {
  parts: DraftPart[]
  calls: Map<number, Writable<Extract<AssistantPart, { type: 'tool-call' }>>>
  logprobs?: TokenLogprobs[]
  citations?: Citation[]
  finish?: FinishReason
  stopSequence?: string
}

function addText(draft: Draft, type: 'text' | 'refusal', text: string): void {
  const last = draft.parts.at(-1)
  if (last?.type === type) last.text += text
  else draft.parts.push({ type, text })
}

function openReasoning(draft: Draft) {
  const last = draft.parts.at(-1)
  if (last?.type === 'reasoning' && last.signature === undefined && last.redacted === undefined) return last
  const part: Writable<Extract<AssistantPart, { type: 'reasoning' }>> = { type: 'reasoning', text: '' }
  draft.parts.push(part)
  return part
}

function addCall(draft: Draft, event: Extract<ChatEvent, { type: 'tool-call-start' }>): void {
  const part: Writable<Extract<AssistantPart, { type: 'tool-call' }>> = {
    type: 'tool-call',
    id: event.id,
    name: event.name,
    arguments: '',
  }
  if (event.signature !== undefined) part.signature = event.signature
  draft.calls.set(event.index, part)
  draft.parts.push(part)
}

function apply(draft: Draft, event: ChatEvent): void {
  switch (event.type) {
    case 'text-delta':
      addText(draft, 'text', event.text)
      if (event.logprobs) {
        draft.logprobs ??= []
        draft.logprobs.push(...event.logprobs)
      }
      return
    case 'refusal-delta':
      addText(draft, 'refusal', event.text)
      return
    case 'reasoning-delta':
      openReasoning(draft).text += event.text
      return
    case 'reasoning-signature':
      openReasoning(draft).signature = event.signature
      return
    case 'reasoning-redacted':
      draft.parts.push({ type: 'reasoning', text: '', redacted: event.data })
      return
    case 'tool-call-start':
      addCall(draft, event)
      return
    case 'tool-call-delta': {
      const call = draft.calls.get(event.index)
      if (call) call.arguments += event.arguments
      return
    }
    case 'image':
      draft.parts.push({ type: 'image', url: event.url })
      return
    case 'citation':
      draft.citations ??= []
      draft.citations.push(event.citation)
      return
    case 'finish':
      draft.finish = event.reason
      draft.stopSequence = event.stopSequence
  }
}

/** Puts an answer together. Faults are left to the caller, who answers with an error instead. */
export function collectAnswer(events: readonly ChatEvent[]): CollectedAnswer {
  const drafts: Draft[] = []
  const answer: Writable<CollectedAnswer> = { choices: drafts }
  for (const event of events) {
    if (event.type === 'fault') continue
    if (event.type === 'start') Object.assign(answer, { id: event.id, model: event.model, created: event.created })
    else if (event.type === 'usage') answer.usage = event.usage
    else {
      const choice = event.choice ?? 0
      while (drafts.length <= choice) drafts.push({ parts: [], calls: new Map() })
      const draft = drafts[choice]
      if (draft) apply(draft, event)
    }
  }
  if (drafts.length === 0) drafts.push({ parts: [], calls: new Map() })
  return answer
}

/** Names the choice of an event, which the first one leaves out. */
export function choiceField(choice: number): { readonly choice?: number } {
  return choice === 0 ? firstChoice : { choice }
}

const firstChoice = Object.freeze({})
