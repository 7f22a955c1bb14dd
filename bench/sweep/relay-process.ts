/**
 * A relay in a process of its own, so that what its callers wait for is its work alone: `bun relay-process.ts <address of a vendor>`.
 * Prints what `Relay` in `relay-apart.ts` holds, and serves until its input ends.
 */
import { writeSync } from 'node:fs'
import { startRelayScene } from '#server/testing/relay-scene.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { api } from '#shared/api/all.ts'

const [vendorUrl = ''] = process.argv.slice(2)
const scene = await startRelayScene()
const models = 'gpt-4o,dall-e-2,tts-1,whisper-1,sora-2,omni-moderation-latest'
for (const type of [1, 14, 24]) {
  await scene.root.call(api.channels.create, {
    name: `of-${type}`,
    type,
    key: `key-${type}`,
    models,
    base_url: vendorUrl,
  })
}

async function callerWith(quota: number) {
  const person = await signIn(scene.app, { quota: 1_000_000_000 })
  const { key } = await person.call(api.tokens.create, { name: 'one', unlimited_quota: true })
  const headers = { authorization: `Bearer sk-${key}` }
  const made = await fetch(`${scene.app.url}/v1/conversations`, { method: 'POST', headers, body: '{}' })
  const { id } = (await made.json()) as { id: string }
  await scene.root.call(api.users.update, { id: person.userId, quota })
  return { key: `sk-${key}`, conversation: id }
}

/** The longest time it worked without a turn for others, in milliseconds of the processor. */
let stallMs = 0
let last = process.cpuUsage()
setInterval(() => {
  const { user, system } = process.cpuUsage(last)
  stallMs = Math.max(stallMs, (user + system) / 1000)
  last = process.cpuUsage()
}, 1)
const stalls = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch() {
    const longest = stallMs
    stallMs = 0
    return Response.json(longest)
  },
})

const callers = {
  rich: await callerWith(1_000_000_000),
  poor: await callerWith(0),
  other: await callerWith(1_000_000_000),
}
const stallsUrl = `http://127.0.0.1:${stalls.port}`
writeSync(1, `${JSON.stringify({ url: scene.app.url, stallsUrl, callers })}\n`)
await Bun.stdin.text()
await scene.stop()
process.exit(0)
