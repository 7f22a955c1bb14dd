import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chatAnswer } from './fake-upstream.ts'
import { type RelayScene, startRelayScene } from './relay-scene.ts'
import { newFolder } from './run-command.ts'

/** A serving node on SQLite whose data folder looks like that of a real one; each chat costs 30. */
export async function startServingFolder(): Promise<{ scene: RelayScene; dataDir: string }> {
  const dataDir = newFolder()
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'secret.key'), 'a secret key for tests\n', { mode: 0o600 })
  const scene = await startRelayScene({ databaseUrl: `sqlite:${dataDir}/switchyard.db` })
  await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  return { scene, dataDir }
}
