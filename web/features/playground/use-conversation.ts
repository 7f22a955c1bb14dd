import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ChatMessage, type ChatProgress, streamChat } from '#web/lib/chat/chat-stream.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { requestCost } from '#web/state/request-cost.ts'
import { askOf, type SetUp } from './set-up.ts'

export interface Answer extends ChatProgress {
  state: 'running' | 'done' | 'stopped' | 'failed'
  error?: string
  /** Quota; unknown until the row of the request is written. */
  cost?: number
}

export interface Turn {
  id: number
  at: number
  text: string
  /** Pictures as data addresses. */
  images: string[]
  /** By model. */
  answers: Readonly<Record<string, Answer>>
}

const contentOf = ({ text, images }: Pick<Turn, 'text' | 'images'>): ChatMessage['content'] =>
  images.length === 0
    ? text
    : [...images.map((url) => ({ type: 'image_url' as const, image_url: { url } })), { type: 'text', text }]

/** What a model has been sent and has answered so far. */
export const messagesFor = (turns: readonly Turn[], model: string): ChatMessage[] =>
  turns.flatMap((turn) => {
    const answer = turn.answers[model]?.text
    const asked: ChatMessage = { role: 'user', content: contentOf(turn) }
    return answer ? [asked, { role: 'assistant' as const, content: answer }] : [asked]
  })

/** What a model was sent for the answer that is last. */
export const askedLast = (turns: readonly Turn[], model: string): ChatMessage[] =>
  messagesFor(
    turns.map((turn, at) => (at === turns.length - 1 ? { ...turn, answers: {} } : turn)),
    model,
  )

/** One conversation with several models at once. It lives in this page alone. */
export function useConversation(setUp: SetUp, key: string) {
  const [turns, setTurns] = useState<readonly Turn[]>([])
  /** What stands in the field to begin with: the message that is being written anew. */
  const [draft, setDraft] = useState({ number: 0, text: '', images: [] as string[] })
  const queries = useQueryClient()
  const running = useRef(new Set<AbortController>())
  const stopAll = useCallback(() => running.current.forEach((stop) => void stop.abort()), [])
  useEffect(() => stopAll, [stopAll])

  const patch = (id: number, model: string, change: Partial<Answer>) =>
    setTurns((before) =>
      before.map((turn) => {
        if (turn.id !== id) return turn
        const answer: Answer = { state: 'running', text: '', ...turn.answers[model], ...change }
        return { ...turn, answers: { ...turn.answers, [model]: answer } }
      }),
    )

  const askOne = async (id: number, model: string, messages: ChatMessage[]) => {
    const stop = new AbortController()
    running.current.add(stop)
    patch(id, model, { state: 'running', text: '' })
    let requestId = ''
    try {
      for await (const progress of streamChat(key, askOf(setUp, model, messages), stop.signal)) {
        requestId = progress.requestId ?? ''
        patch(id, model, progress)
      }
      patch(id, model, { state: 'done' })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      patch(id, model, stop.signal.aborted ? { state: 'stopped' } : { state: 'failed', error: message })
    }
    running.current.delete(stop)
    const cost = requestId === '' ? undefined : await requestCost(requestId)
    if (cost === undefined) return
    patch(id, model, { cost })
    void queries.invalidateQueries({ queryKey: ['tokens', 'list'] })
    void askAgain(queries, 'teams')
  }

  const send = (text: string, images: string[]) => {
    const turn: Turn = { id: Date.now(), at: Date.now() / 1000, text, images, answers: {} }
    const all = [...turns, turn]
    setTurns(all)
    for (const model of setUp.models) void askOne(turn.id, model, messagesFor(all, model))
  }
  const retry = (id: number, model: string) => {
    const upTo = turns.slice(0, turns.findIndex((turn) => turn.id === id) + 1)
    const asked = upTo.map((turn) => (turn.id === id ? { ...turn, answers: {} } : turn))
    void askOne(id, model, messagesFor(asked, model))
  }
  /** Takes the last message back into the field. */
  const editLast = () => {
    const last = turns.at(-1)
    if (!last) return
    setTurns(turns.slice(0, -1))
    setDraft(({ number }) => ({ number: number + 1, text: last.text, images: last.images }))
  }
  const isRunning = turns.some(({ answers }) => Object.values(answers).some(({ state }) => state === 'running'))
  return {
    turns,
    draft,
    editLast,
    isRunning,
    send,
    retry,
    stop: stopAll,
    clear: () => {
      stopAll()
      setTurns([])
    },
  }
}
