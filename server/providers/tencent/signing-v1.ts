import { createHmac } from 'node:crypto'
import { arrayOf, objectOf } from '#server/lib/json.ts'

/** Everything but the messages is `name=value`; the messages are compact JSON of role and content alone. */
function written(name: string, value: unknown): string {
  if (name !== 'messages') return `${name}=${String(value)}`
  const messages = arrayOf(value).map((message) => {
    const { role, content } = objectOf(message) ?? {}
    return { role, content }
  })
  return `${name}=${JSON.stringify(messages)}`
}

/** The signature Hunyuan used before API 3.0: over the address and the body's fields in alphabetical order. */
export function tencentSha1Signature(secretKey: string, address: string, body: Record<string, unknown>): string {
  const pairs = Object.keys(body)
    .filter((name) => body[name] !== undefined)
    .sort()
    .map((name) => written(name, body[name]))
  return createHmac('sha1', secretKey)
    .update(`${address}?${pairs.join('&')}`)
    .digest('base64')
}
