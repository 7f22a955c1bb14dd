const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, input_tokens: 1, output_tokens: 1 }
const chat = {
  id: 'chat_1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } }],
  usage,
}
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  usage,
}

/** A vendor that answers chats, keeps no conversations, refuses everything else, and looks into no body. */
export function startPlainVendor(): { readonly url: string; stop(): Promise<void> } {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      await request.arrayBuffer()
      const { pathname } = new URL(request.url)
      if (pathname.includes('/conversations')) return new Response('{}', { status: 404 })
      if (pathname.endsWith('/chat/completions')) return Response.json(chat)
      if (pathname.endsWith('/messages')) return Response.json(message)
      return Response.json({ error: { message: 'not this one', type: 'invalid_request_error' } }, { status: 400 })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
