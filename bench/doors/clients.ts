import { toFile } from 'openai'
import { sdkClients } from '#server/testing/sdk-clients.ts'
import { openSocket } from '#server/testing/socket-client.ts'

const params = { max_tokens: 20, messages: [{ role: 'user' as const, content: 'hi' }] }
const liveModel = 'gemini-2.5-flash-native-audio-preview-09-2025'
const livePath = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

/** One use of each door. Every one of them says something nobody else says, as people do. */
function usesOf(url: string, key: string): Record<string, () => Promise<unknown>> {
  const { openai, anthropic, google } = sdkClients(url, key)
  const headers = { authorization: `Bearer ${key}` }
  const session = async (path: string, first: object | null, question: object) => {
    const client = await openSocket(url + path, { headers })
    if (first) client.say(first)
    for (let turn = 0; turn < 3; turn += 1) {
      client.say(question)
      await Bun.sleep(Math.random() * 500)
    }
    client.leave()
  }
  return {
    async 'batch of OpenAI'() {
      const body = { model: 'gpt-4o', ...params }
      const line = { custom_id: crypto.randomUUID(), method: 'POST', url: '/v1/chat/completions', body }
      const file = await toFile(Buffer.from(JSON.stringify(line)), 'b.jsonl')
      const { id } = await openai.files.create({ file, purpose: 'batch' })
      await openai.batches.create({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' })
    },
    async 'batch of Anthropic'() {
      const request = { custom_id: crypto.randomUUID(), params: { model: 'claude-sonnet-4-5', ...params } }
      await anthropic.messages.batches.create({ requests: [request] })
    },
    async 'batch of Google'() {
      const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
      const src = [{ contents, config: { maxOutputTokens: 20 } }]
      const config = { displayName: crypto.randomUUID() }
      await google.batches.create({ model: 'gemini-2.5-flash', src, config })
    },
    async video() {
      const { id } = await openai.videos.create({ model: 'sora-2', prompt: crypto.randomUUID() })
      await openai.videos.retrieve(id)
    },
    async picture() {
      const body = JSON.stringify({ instances: [{ prompt: 'a cat' }], parameters: { sampleCount: 1 } })
      await fetch(`${url}/v1beta/models/imagen-4.0-generate-001:predict`, { method: 'POST', headers, body })
    },
    async passage() {
      await (await fetch(`${url}/pass/filing/v1/batches`, { headers })).text()
    },
    realtime: () => session('/v1/realtime?model=gpt-realtime', null, { type: 'response.create' }),
    live: () =>
      session(
        livePath,
        { setup: { model: `models/${liveModel}` } },
        { clientContent: { turns: [], turnComplete: true } },
      ),
  }
}

/** Uses every door over and over until it is stopped; what a killed relay leaves unanswered is nobody's fault. */
export function callDoors(url: string, key: string) {
  let isStopped = false
  const answered = new Map<string, number>()
  const running = Object.entries(usesOf(url, key)).map(async ([name, use]) => {
    while (!isStopped) {
      const isDone = await use().then(
        () => true,
        () => false,
      )
      if (isDone) answered.set(name, (answered.get(name) ?? 0) + 1)
      else await Bun.sleep(50)
    }
  })
  return {
    answered,
    async stop() {
      isStopped = true
      await Promise.all(running)
    },
  }
}
