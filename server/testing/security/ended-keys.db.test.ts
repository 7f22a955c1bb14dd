import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { epochSeconds } from '#server/context.ts'
import { addresses } from '#server/relay/relay.routes.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { type RelayScene, type SceneChannel, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import { handshake } from '#server/testing/socket-client.ts'
import { api } from '#shared/api/all.ts'
import { tokenStatus } from '#shared/statuses.ts'

let scene: RelayScene
let channel: SceneChannel
beforeAll(async () => {
  scene = await startRelayScene()
  channel = await scene.channel(chatAnswer('hello', { prompt_tokens: 5, completion_tokens: 10 }), { models: 'gpt-4o' })
})
afterAll(() => scene.stop())

interface Holder {
  readonly person: SignedIn
  readonly tokenId: number
  readonly teamId: number
}

/** As another node would, or the clock. */
async function change(
  { tokenId: id }: Holder,
  columns: Partial<Record<'status' | 'expired_time' | 'remain_quota', number>>,
) {
  const { ctx } = scene.app
  await ctx.database.db.updateTable('tokens').set(columns).where('id', '=', id).execute()
  ctx.changes.emit({ topic: 'token', id })
}

const manage = ({ person }: Holder, action: 'disable' | 'delete') =>
  scene.root.call(api.users.manage, { username: person.username, action })

/** How a key ends, and what it is refused with then. */
const ends: Readonly<Record<string, readonly [number, string, (holder: Holder) => Promise<unknown>]>> = {
  'is disabled': [
    401,
    'is disabled',
    ({ person, tokenId }) => person.call(api.tokens.update, { id: tokenId, status: 2, status_only: true }),
  ],
  'has expired': [401, 'has expired', (it) => change(it, { expired_time: epochSeconds(scene.app.ctx) - 1 })],
  'is used up': [402, 'quota', (it) => change(it, { status: tokenStatus.exhausted, remain_quota: 0 })],
  'is deleted': [401, 'not valid', ({ person, tokenId }) => person.call(api.tokens.remove, { id: tokenId })],
  'is replaced': [401, 'not valid', ({ person, tokenId }) => person.call(api.tokens.rotate, { id: tokenId })],
  'is of who was banned': [403, 'banned', (it) => manage(it, 'disable')],
  'is of who was deleted': [401, 'not valid', (it) => manage(it, 'delete')],
  'is of who deleted the account': [401, 'not valid', ({ person }) => person.call(api.account.remove, {})],
  'spends from a team that is gone': [
    401,
    'not valid',
    ({ person, teamId }) => person.call(api.teams.remove, { id: teamId }),
  ],
}

const calls = addresses.map(({ method, path }) => ({
  method,
  path: path
    .replace('{version}', 'v1beta')
    .replace('{model}', 'gpt-4o')
    .replaceAll(/\{\w+\}/g, 'x'),
}))
const sockets = [
  '/v1/realtime?model=gpt-4o',
  '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
]

async function ask(key: string, { method, path }: (typeof calls)[number]): Promise<[number, string]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(scene.app.url + path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })
  return [answer.status, await answer.text()]
}

describe.each(Object.entries(ends))('a key that %s', (how, [status, words, end]) => {
  test('opens no call of the relay, though it was in use', async () => {
    const person = await signIn(scene.app, { quota: 1_000_000 })
    const ofTeam = how.includes('team') ? await person.call(api.teams.create, { name: 'one' }) : undefined
    const teamId = ofTeam?.id ?? 0
    const made = { name: 'ends', remain_quota: 1000, team_id: teamId }
    const { id: tokenId, key: bare } = await person.call(api.tokens.create, made)
    const key = `sk-${bare}`
    expect((await ask(key, { method: 'GET', path: '/v1/models' }))[0]).toBe(200)
    await end({ person, tokenId, teamId })
    const passed = { method: 'POST', path: '/pass/1/v1/chat/completions' } as const
    for (const call of [...calls, passed]) {
      const [answered, text] = await ask(key, call)
      expect([call.path, answered]).toEqual([call.path, status])
      expect(text).toContain(words)
    }
    for (const path of sockets) {
      const refused = await handshake(scene.app.url + path, { authorization: `Bearer ${key}` })
      expect([path, refused.status]).toEqual([path, status])
    }
    expect(channel.seen).toEqual([])
  })
})
