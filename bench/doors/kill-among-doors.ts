/** Kills a relay with every door of long work, sessions and files in use, and holds its books against what vendors were given to do. */
import { reconcile } from '#server/billing/ledger/reconcile.ts'
import { openDatabase } from '#server/db/database.ts'
import { api } from '#shared/api/all.ts'
import { operate } from '../support/console.ts'
import { createRelayProcess, type RelayProcess, rootPassword } from '../support/relay-process.ts'
import { callDoors } from './clients.ts'
import { startVendors, type Vendors } from './vendors.ts'

const rounds = 12
const sessionModels = ['gpt-realtime', 'gemini-2.5-flash-native-audio-preview-09-2025']
const timeoutMs = 180_000

async function setUp(relay: RelayProcess, { addresses }: Vendors): Promise<string> {
  const call = await operate(relay.url, rootPassword)
  await call(api.users.update, { id: 1, quota: 1_000_000_000_000 })
  await call(api.options.update, { key: 'PassthroughEnabled', value: 'true' })
  await call(api.options.update, { key: 'PassthroughPrice', value: '3' })
  const add = (type: number, name: string, models: string, base_url: string) =>
    call(api.channels.create, { name, type, key: 'k', models, base_url })
  await add(1, 'filing', 'gpt-4o', addresses.filing)
  await add(14, 'anthropic', 'claude-sonnet-4-5', addresses.filing)
  await add(24, 'google', 'gemini-2.5-flash', addresses.filing)
  await add(1, 'studio', 'sora-2', addresses.studio)
  await add(24, 'pictures', 'imagen-4.0-generate-001', addresses.studio)
  await add(1, 'voice', 'gpt-realtime', addresses.voice)
  await add(24, 'live', 'gemini-2.5-flash-native-audio-preview-09-2025', addresses.voice)
  return `sk-${(await call(api.tokens.create, { name: 'doors', unlimited_quota: true })).key}`
}

/** Waits until nothing runs and nothing is held; returns how long that took. */
async function untilQuiet(databaseUrl: string): Promise<number | null> {
  const database = openDatabase(databaseUrl)
  const began = Date.now()
  try {
    while (Date.now() - began < timeoutMs) {
      const work = await database.db.selectFrom('long_work').select('id').limit(1).execute()
      const holds = await database.db.selectFrom('holds').select('id').limit(1).execute()
      if (work.length + holds.length === 0) return Date.now() - began
      await Bun.sleep(500)
    }
    return null
  } finally {
    await database.close()
  }
}

async function judge(databaseUrl: string, vendors: Vendors): Promise<string[]> {
  const database = openDatabase(databaseUrl)
  try {
    const { db } = database
    const faults = (await reconcile(db)).map((drift) => `drift: ${JSON.stringify(drift)}`)
    const rows = await db.selectFrom('logs').select(['model_name', 'quota', 'outcome']).where('type', '=', 2).execute()
    const paidFor = (model: string) => rows.filter((row) => row.model_name === model && row.quota > 0).length
    for (const [model, begun] of Object.entries(vendors.begun())) {
      console.log(`${model}: ${begun} begun, ${paidFor(model)} paid`)
      if (paidFor(model) !== begun) faults.push(`${model}: ${begun} were begun and ${paidFor(model)} paid`)
    }
    const spoken = rows.filter(({ model_name, outcome }) => sessionModels.includes(model_name) && outcome === 'done')
    console.log(`sessions: ${vendors.reports()} answers reported, ${spoken.length} paid`)
    if (spoken.length > vendors.reports()) faults.push('an answer of a session was paid twice')
    const entries = await db.selectFrom('ledger_entries').select('ref').where('kind', '=', 'settle').execute()
    if (new Set(entries.map(({ ref }) => ref)).size !== entries.length) faults.push('something was paid twice')
    return faults
  } finally {
    await database.close()
  }
}

export async function killAmongDoors(databaseUrl: string | undefined): Promise<boolean> {
  const vendors = startVendors()
  const relay = await createRelayProcess(databaseUrl)
  const faults: string[] = []
  try {
    await relay.start()
    const clients = callDoors(relay.url, await setUp(relay, vendors))
    for (let round = 0; round < rounds; round += 1) {
      await Bun.sleep(500 + Math.random() * 1500)
      await relay.kill()
      await relay.start()
    }
    await Bun.sleep(1000)
    await relay.kill()
    await clients.stop()
    await relay.start()
    console.log(`answered: ${[...clients.answered].map(([name, count]) => `${name} ${count}`).join(', ')}`)
    const quietMs = await untilQuiet(relay.databaseUrl)
    if (quietMs === null) faults.push('something was held for ever')
    else console.log(`nothing held ${(quietMs / 1000).toFixed(1)} s after the last start`)
    await relay.stop()
    faults.push(...(await judge(relay.databaseUrl, vendors)))
  } finally {
    await relay.kill()
    await vendors.stop()
  }
  for (const fault of faults) console.log(`FAULT ${fault}`)
  console.log(faults.length === 0 ? `killed ${rounds + 1} times, drift 0, all that was begun is paid once` : 'FAILED')
  return faults.length === 0
}
