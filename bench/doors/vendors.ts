import { startFilingVendor } from '#server/testing/filing/filing-vendor.ts'
import { startSocketUpstream } from '#server/testing/socket-upstream.ts'

/** What the vendors of the doors were given to do. */
export interface Vendors {
  readonly addresses: { readonly filing: string; readonly studio: string; readonly voice: string }
  /** What was begun there, by the name of its model. */
  begun(): Record<string, number>
  /** How many answers of sessions were reported. */
  reports(): number
  stop(): Promise<void>
}

const slowly = () => Bun.sleep(Math.random() * 400)

const ends = { batch: 'completed', msgbatch: 'errored', batches: 'SUCCEEDED' } as const

/** Batches that are begun slowly and end at once. */
function startFiling() {
  const vendor = startFilingVendor()
  vendor.loses = async (method) => {
    if (method === 'POST') await slowly()
    return false
  }
  const ended = new Set<string>()
  const ending = setInterval(() => {
    for (const id of vendor.batches.keys()) {
      if (ended.has(id)) continue
      ended.add(id)
      vendor.end(id, ends[id.split(/[_/]/)[0] as keyof typeof ends])
    }
  }, 500)
  const count = (beginning: string) => [...vendor.batches.keys()].filter((id) => id.startsWith(beginning)).length
  return { vendor, count, ending }
}

/** Videos that are begun slowly and are done when they are next looked at. */
function startStudio() {
  const videos = new Map<string, Record<string, unknown>>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname.endsWith(':predict')) return Response.json({ predictions: [{ bytesBase64Encoded: 'aGk=' }] })
      if (request.method === 'POST') {
        const id = `video_${videos.size}`
        const form = await request.formData()
        const [model, prompt] = [form.get('model'), form.get('prompt')]
        const created_at = Math.floor(Date.now() / 1000)
        const video = { id, object: 'video', model, prompt, seconds: '4', created_at, status: 'queued' }
        videos.set(id, video)
        await slowly()
        return Response.json(video)
      }
      const [, id] = /^\/v1\/videos\/(.+)$/.exec(pathname) ?? []
      if (id) return Response.json({ ...videos.get(id), status: 'completed' })
      return Response.json({ object: 'list', data: [...videos.values()].reverse() })
    },
  })
  return { server, videos }
}

const usage = { total_tokens: 150, input_tokens: 100, output_tokens: 50 }

export function startVendors(): Vendors {
  const { vendor, count, ending } = startFiling()
  const { server, videos } = startStudio()
  let reports = 0
  const voice = startSocketUpstream(async (socket, frame) => {
    if (frame === null) return
    const isSetup = String(frame).includes('"setup"')
    if (isSetup) return void socket.send(JSON.stringify({ setupComplete: {} }))
    const isOpenai = String(frame).includes('response.create')
    if (isOpenai) socket.send(JSON.stringify({ type: 'response.created', response: { id: 'r' } }))
    await slowly()
    if (socket.readyState !== WebSocket.OPEN) return
    reports += 1
    socket.send(
      JSON.stringify(
        isOpenai
          ? { type: 'response.done', response: { id: 'r', status: 'completed', usage } }
          : { serverContent: { turnComplete: true }, usageMetadata: { promptTokenCount: 100, responseTokenCount: 50 } },
      ),
    )
  })
  return {
    addresses: { filing: vendor.url, studio: `http://127.0.0.1:${server.port}`, voice: voice.url },
    begun: () => ({
      'gpt-4o': count('batch_'),
      'claude-sonnet-4-5': count('msgbatch_'),
      'gemini-2.5-flash': count('batches/'),
      'sora-2': videos.size,
    }),
    reports: () => reports,
    async stop() {
      clearInterval(ending)
      await Promise.all([vendor.stop(), server.stop(true), voice.stop()])
    },
  }
}
