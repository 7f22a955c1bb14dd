import { arrayOf, type JsonObject, objectOf, parseObject, textOf } from '#server/lib/json.ts'
import { sparkAuthorization } from '#server/providers/spark/signing.ts'
import type { Double, SeenRequest } from './double.ts'
import { doubleUsage, type Reply, replyTo } from './script.ts'

const [appId, apiSecret, apiKey] = ['doubleapp', 'double-secret', 'double-key']
const tolerance = 300_000

const codes: Record<number, number> = { 400: 10004, 401: 11200, 403: 11200, 429: 11202, 503: 10008 }

/** Why the handshake is refused; undefined for a good signature over the address that was called. */
function refusal(url: URL): string | undefined {
  const [date = '', host = ''] = [url.searchParams.get('date') ?? '', url.searchParams.get('host') ?? '']
  if (host !== url.host) return 'host does not match'
  if (!(Math.abs(Date.parse(date) - Date.now()) < tolerance))
    return 'HMAC signature cannot be verified, a valid date is required'
  const expected = sparkAuthorization({ apiKey, apiSecret }, host, url.pathname, date)
  return url.searchParams.get('authorization') === expected ? undefined : 'HMAC signature cannot be verified'
}

function replyOf(body: JsonObject): Reply {
  const payload = objectOf(body.payload) ?? {}
  const texts = arrayOf(objectOf(payload.message)?.text).map((entry) => objectOf(entry) ?? {})
  const said = (role: string) =>
    texts.filter((entry) => entry.role === role).map((entry) => textOf(entry.content) ?? '')
  return replyTo({
    model: textOf(objectOf(objectOf(body.parameter)?.chat)?.domain) ?? '',
    stream: true,
    text: said('user').at(-1) ?? '',
    tools: arrayOf(objectOf(payload.functions)?.text).flatMap((tool) => textOf(objectOf(tool)?.name) ?? []),
    toolResults: said('tool'),
    sawImage: false,
  })
}

function framesOf(body: JsonObject): JsonObject[] {
  const refuse = (code: number, message: string) => [{ header: { code, message, sid: 'cht-double', status: 2 } }]
  if (objectOf(body.header)?.app_id !== appId) return refuse(10005, 'appid is not authorised')
  const reply = replyOf(body)
  if (reply.kind === 'error') return refuse(codes[reply.status] ?? 10012, reply.message)
  const called = reply.kind === 'call' ? { name: reply.name, arguments: JSON.stringify(reply.arguments) } : undefined
  const entries =
    reply.kind === 'text' ? reply.pieces.map((content) => ({ content })) : [{ content: '', function_call: called }]
  const usage = {
    question_tokens: 1,
    prompt_tokens: doubleUsage.input,
    completion_tokens: doubleUsage.output,
    total_tokens: doubleUsage.input + doubleUsage.output,
  }
  return entries.map((entry, seq) => {
    const status = seq === entries.length - 1 ? 2 : seq === 0 ? 0 : 1
    return {
      header: { code: 0, message: 'Success', sid: 'cht-double', status },
      payload: {
        choices: { status, seq, text: [{ role: 'assistant', index: 0, ...entry }] },
        ...(status === 2 ? { usage: { text: usage } } : {}),
      },
    }
  })
}

/** iFlytek's socket: the signed address is checked before the upgrade, one question a connection. */
export function startSparkDouble(): Double {
  const requests: SeenRequest[] = []
  const server = Bun.serve<{ path: string; headers: Record<string, string> }>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const url = new URL(request.url)
      const message = refusal(url)
      if (message !== undefined) return Response.json({ message }, { status: 401 })
      const data = { path: `${url.pathname}${url.search}`, headers: Object.fromEntries(request.headers) }
      return self.upgrade(request, { data }) ? undefined : new Response('upgrade expected', { status: 426 })
    },
    websocket: {
      message(socket, message) {
        const text = String(message)
        const body = parseObject(text)
        requests.push({ method: 'GET', path: socket.data.path, headers: socket.data.headers, text, body })
        for (const frame of framesOf(body)) socket.send(JSON.stringify(frame))
        socket.close()
      },
    },
  })
  return {
    url: `ws://127.0.0.1:${server.port}`,
    key: `${appId}|${apiSecret}|${apiKey}`,
    requests,
    stop: () => void server.stop(true),
  }
}
