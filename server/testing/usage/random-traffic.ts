import { eventually } from '#server/testing/eventually.ts'
import {
  type Behaviour,
  chatAnswer,
  chatStream,
  deltaFrame,
  errorAnswer,
  eventStream,
  usageFrame,
} from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { type SignedIn, signIn } from '#server/testing/sign-in.ts'
import type { TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { Dice } from './dice.ts'

/** Two people of two groups, a team of both, and channels that fail, break off and answer as the request says. */
export interface TrafficScene extends RelayScene {
  readonly bert: SignedIn
  readonly teamId: number
  /** Sends requests of every kind, from one time to another of the relay's clock, and waits until all are settled. */
  send(dice: Dice, count: number, times: { from: number; to: number }): Promise<void>
}

const kinds = [
  'whole',
  'whole',
  'whole',
  'whole',
  'stream',
  'stream',
  'retried',
  'retried',
  'failing',
  'broken',
  'left',
]
const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1']
const atOnce = 8

interface Wish {
  readonly kind: string
  readonly prompt: number
  readonly cached: number
  readonly completion: number
}

const fault = errorAnswer(500, { message: 'broken', type: 'server_error' })

const untilGone = (signal: AbortSignal): Promise<unknown> =>
  Promise.race([new Promise((resolve) => signal.addEventListener('abort', resolve)), Bun.sleep(2000)])

/** What the first message asks for. `isFirst`: the channel that is tried first. */
const asWished =
  (isFirst: boolean): Behaviour =>
  (request) => {
    const [message] = request.body.messages as { content: string }[]
    const { kind, prompt, cached, completion } = JSON.parse(message?.content ?? '{}') as Wish
    const usage = {
      prompt_tokens: prompt,
      completion_tokens: completion,
      prompt_tokens_details: { cached_tokens: cached },
    }
    if (kind === 'failing' || (kind === 'retried' && isFirst)) return fault(request)
    if (kind === 'broken') return eventStream(deltaFrame('some'), deltaFrame('words'))(request)
    if (kind === 'left') return eventStream(deltaFrame('some'), untilGone(request.signal), usageFrame(usage))(request)
    if (request.body.stream === true) return chatStream(['some', 'words'], usage)(request)
    return chatAnswer('words', usage)(request)
  }

async function tokenOf(client: TestClient, name: string, teamId: number): Promise<string> {
  const { key } = await client.call(api.tokens.create, { name, unlimited_quota: true, team_id: teamId })
  return `sk-${key}`
}

async function sendOne(scene: RelayScene, dice: Dice, key: string): Promise<void> {
  const kind = kinds[dice(kinds.length)] ?? 'whole'
  const prompt = 1 + dice(900)
  const wish: Wish = { kind, prompt, cached: dice(prompt), completion: 1 + dice(200) }
  const stream = ['stream', 'broken', 'left'].includes(kind)
  const leaving = new AbortController()
  const answer = await scene.chat(
    { model: models[dice(models.length)], stream, messages: [{ role: 'user', content: JSON.stringify(wish) }] },
    { headers: { authorization: `Bearer ${key}` }, signal: leaving.signal },
  )
  if (kind === 'left') {
    await answer.body?.getReader().read()
    leaving.abort()
  } else await answer.text().catch(() => '')
}

export async function startTrafficScene(databaseUrl?: string): Promise<TrafficScene> {
  const scene = await startRelayScene({ quota: 1_000_000_000, ...(databaseUrl ? { databaseUrl } : {}) })
  const { app, root, user } = scene
  const bert = await signIn(app, { username: 'bert', group: 'vip', quota: 1_000_000_000 })
  await scene.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1, 'gpt-4o-mini': 0.075, 'gpt-4.1': 3 }))
  await scene.option('GroupRatio', '{"default": 1, "vip": 0.5}')
  await scene.option('RetryTimes', 2)
  const team = await user.call(api.teams.create, { name: 'both' })
  const { code } = await user.call(api.teams.invite, { id: team.id, role: 'member' })
  await bert.call(api.teams.join, { code })
  await root.call(api.teams.update, { id: team.id, quota: 500_000_000 })
  const more = { models: models.join(','), group: 'default,vip' }
  for (let at = 0; at < 4; at++) await scene.channel(asWished(at < 2), { ...more, priority: at < 2 ? 5 : 0 })
  const keys = [
    await tokenOf(user, 'own', 0),
    await tokenOf(user, 'shared', team.id),
    await tokenOf(bert, 'own', 0),
    await tokenOf(bert, 'work', team.id),
  ]
  const open = async () => (await scene.books()).holds
  return {
    ...scene,
    bert,
    teamId: team.id,
    async send(dice, count, { from, to }) {
      for (let sent = 0; sent < count; sent += atOnce) {
        app.time.now = 1000 * (from + Math.floor(((to - from) * sent) / count))
        const batch = Array.from({ length: Math.min(atOnce, count - sent) }, () => keys[dice(keys.length)] ?? '')
        await Promise.all(batch.map((key) => sendOne(scene, dice, key)))
      }
      await eventually(open, (holds) => holds === 0)
    },
  }
}
