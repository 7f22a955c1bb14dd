import type { ChatRequest } from '#server/dialects/chat.ts'
import { type Fetch, type Target, type Tools, unbounded } from './provider.ts'

/** A conversation through a channel of this type; a test names what matters to it. */
export function targetOf(type: number, changes: Partial<Target> = {}): Target {
  return {
    channelId: 1,
    type,
    key: 'k',
    baseUrl: 'https://base.example',
    other: '',
    model: 'm',
    operation: 'chat',
    stream: false,
    bound: unbounded,
    path: '/v1/chat/completions',
    query: () => new URLSearchParams(),
    passed: () => undefined,
    ...changes,
  }
}

export function requestOf(changes: Partial<ChatRequest> = {}): ChatRequest {
  const messages: ChatRequest['messages'] = [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }]
  return { model: 'm', messages, stream: false, includeUsage: false, ...changes }
}

interface Seen {
  readonly url: string
  readonly init: RequestInit | undefined
}

/** The outside world: answers in turn, and what was asked of it. New Year 2024. */
export function toolsOf(...answers: readonly unknown[]): Tools & { readonly seen: Seen[] } {
  const seen: Seen[] = []
  const fetch: Fetch = async (url, init) => {
    seen.push({ url, init })
    const answer = answers[Math.min(seen.length, answers.length) - 1]
    return answer instanceof Response ? answer.clone() : Response.json(answer)
  }
  return {
    fetch,
    now: () => 1_704_067_200_000,
    signal: new AbortController().signal,
    fetchBytes: async (url) => `data:image/png;base64,${Buffer.from(url).toString('base64')}`,
    seen,
  }
}
