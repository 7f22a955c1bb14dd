/** A stand-in for the providers: answers in three wire formats, after the delay and with the usage it is given. */

interface Usage {
  input: number
  output: number
}

/** Prompts of the demo say what they are to cost: "18422/1204". */
function usageIn(text: string): Usage {
  const [, input = '24', output = '11'] = /(\d+)\/(\d+)/.exec(text) ?? []
  return { input: Number(input), output: Number(output) }
}

const words = 'Here is a short summary of what changed since yesterday.'

const openAiChat = (model: string, { input, output }: Usage) => ({
  id: 'chatcmpl-demo',
  object: 'chat.completion',
  created: Math.floor(Date.now() / 1000),
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: words }, finish_reason: 'stop' }],
  usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
})

const openAiEmbedding = (model: string, { input }: Usage) => ({
  object: 'list',
  model,
  data: [{ object: 'embedding', index: 0, embedding: [0.12, -0.03, 0.4] }],
  usage: { prompt_tokens: input, total_tokens: input },
})

const anthropicMessage = (model: string, { input, output }: Usage) => ({
  id: 'msg_demo',
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text: words }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: input, output_tokens: output },
})

const geminiAnswer = (_model: string, { input, output }: Usage) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: words }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
})

const doors = [
  ['/embeddings', openAiEmbedding],
  ['/messages', anthropicMessage],
  [':generateContent', geminiAnswer],
  ['/chat/completions', openAiChat],
] as const

export interface DemoUpstream {
  /** Base address of a provider that answers after so many milliseconds. */
  address: (delay: number) => string
  stop: () => Promise<void>
}

export function startDemoUpstream(): DemoUpstream {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const text = await request.text()
      await Bun.sleep(Number(/^\/after-(\d+)/.exec(pathname)?.[1] ?? 0))
      const answer = doors.find(([ending]) => pathname.endsWith(ending))?.[1]
      if (!answer)
        return Response.json({ error: { message: 'not found', type: 'invalid_request_error' } }, { status: 404 })
      const model = String((text === '' ? {} : JSON.parse(text)).model ?? '')
      return Response.json(answer(model, usageIn(text)))
    },
  })
  return {
    address: (delay) => `http://127.0.0.1:${server.port}/after-${delay}`,
    stop: () => server.stop(true),
  }
}
