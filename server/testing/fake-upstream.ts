import type { Server } from 'bun'

/** What a fake upstream does with a request; the next in line answers, the last one answers for ever. */
export type Behaviour = (request: SeenRequest) => Response | Promise<Response>

export interface SeenRequest {
  readonly path: string
  readonly url: URL
  readonly headers: Headers
  readonly body: Record<string, unknown>
  readonly raw: string
  /** Fires when the relay has closed the connection. */
  readonly signal: AbortSignal
}

export interface FakeUpstream {
  readonly url: string
  readonly seen: SeenRequest[]
  /** Puts behaviours in line. */
  next(...behaviours: Behaviour[]): void
  stop(): Promise<void>
}

/** A local server that speaks OpenAI's wire format, one given behaviour a request. */
export function startFakeUpstream(...behaviours: Behaviour[]): FakeUpstream {
  const line = [...behaviours]
  const seen: SeenRequest[] = []
  const server: Server<undefined> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const type = request.headers.get('content-type') ?? ''
      const raw = type.startsWith('multipart/') ? '' : await request.text()
      const body = type.startsWith('multipart/')
        ? Object.fromEntries(await request.formData())
        : type.startsWith('application/x-www-form-urlencoded')
          ? Object.fromEntries(new URLSearchParams(raw))
          : raw === ''
            ? {}
            : JSON.parse(raw)
      const url = new URL(request.url)
      const entry = { path: url.pathname, url, headers: request.headers, body, raw, signal: request.signal }
      seen.push(entry)
      const behave = line.length > 1 ? line.shift() : line[0]
      return behave ? behave(entry) : new Response('nothing to say', { status: 500 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    next: (...more) => void line.push(...more),
    stop: () => server.stop(true),
  }
}

export interface FakeUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly [more: string]: unknown
}

const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'upstream-model' }

/** A whole chat completion. `usage` null leaves the report out. */
export const chatAnswer =
  (text: string, usage: FakeUsage | null, more: { finish?: string; choices?: number } = {}): Behaviour =>
  () =>
    Response.json({
      ...head,
      object: 'chat.completion',
      choices: Array.from({ length: more.choices ?? 1 }, (_, index) => ({
        index,
        message: { role: 'assistant', content: text, refusal: null },
        finish_reason: more.finish ?? 'stop',
        logprobs: null,
      })),
      ...(usage ? { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } } : {}),
    })

const chunk = (fields: object) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields })}\n\n`

export const deltaFrame = (content: string) =>
  chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
export const finishFrame = (reason = 'stop') => chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
export const usageFrame = (usage: FakeUsage) =>
  chunk({ choices: [], usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } })
export const doneFrame = 'data: [DONE]\n\n'

/** What a stream does: a pause in milliseconds or until something has happened, or text as it is. */
export type StreamStep = string | number | Promise<unknown>

/** A stream of server-sent events, step by step. */
export const eventStream =
  (...steps: StreamStep[]): Behaviour =>
  ({ signal }) => {
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const step of steps) {
          if (signal.aborted) return
          if (step instanceof Promise) await step
          else if (typeof step === 'number') await Bun.sleep(step)
          else controller.enqueue(encoder.encode(step))
        }
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

export const chatStream = (texts: readonly string[], usage: FakeUsage | null): Behaviour =>
  eventStream(...texts.map(deltaFrame), finishFrame(), ...(usage ? [usageFrame(usage)] : []), doneFrame)

export const errorAnswer =
  (
    status: number,
    error: { message: string; type?: string; code?: string },
    headers: Record<string, string> = {},
  ): Behaviour =>
  () =>
    Response.json({ error: { type: 'server_error', param: null, code: null, ...error } }, { status, headers })
