/** An upstream that writes down which request came when, and how many it works on at one time. */
export interface CrossingUpstream {
  readonly url: string
  /** When each request came, by what it says. */
  readonly arrivals: ReadonlyMap<string, number>
  running(): number
  /** The most at one time so far. */
  most(): number
  stop(): Promise<void>
}

export const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }

export function startCrossingUpstream(slowModel: string, slowMs: number): CrossingUpstream {
  const arrivals = new Map<string, number>()
  let running = 0
  let most = 0
  const work = async (signal: AbortSignal) => {
    running += 1
    most = Math.max(most, running)
    const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    await Promise.race([Bun.sleep(slowMs), gone])
    running -= 1
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const body = (await request.json()) as { model: string; messages: { content: string }[] }
      arrivals.set(body.messages[0]?.content ?? '', performance.now())
      if (body.model === slowModel) await work(request.signal)
      return Response.json({
        id: 'chatcmpl-limits',
        object: 'chat.completion',
        created: 1_700_000_000,
        model: body.model,
        choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
        usage,
      })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    arrivals,
    running: () => running,
    most: () => most,
    stop: () => server.stop(true),
  }
}
