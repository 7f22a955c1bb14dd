import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProviderDouble {
  readonly url: string
  /** Models it was asked for, in order. */
  readonly asked: string[]
  /** Chats are answered once this has come to an end. */
  wait: Promise<void>
  stop(): Promise<void>
}

const chatAnswer = (model: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

/** What it says it offers. */
export const offeredModels = ['large-one', 'small-one']

/** A provider that answers chats, its list of models and the billing calls OpenAI once had; keys that begin with `bad` are refused. */
export async function startProvider(): Promise<ProviderDouble> {
  const asked: string[] = []
  const double = { wait: Promise.resolve() }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.headers.authorization?.startsWith('Bearer bad'))
      return answer(401, {
        error: { message: 'this key is wrong', type: 'invalid_request_error', code: 'invalid_api_key' },
      })
    const path = request.url ?? ''
    if (path.includes('/billing/subscription')) return answer(200, { has_payment_method: true, hard_limit_usd: 20 })
    if (path.includes('/billing/usage')) return answer(200, { total_usage: 750 })
    if (path.endsWith('/models')) return answer(200, { data: offeredModels.map((id) => ({ id })) })
    const { model } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { model: string }
    asked.push(model)
    await double.wait
    return answer(200, chatAnswer(model))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(double, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  })
}
