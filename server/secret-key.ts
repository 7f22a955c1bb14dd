import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { randomText } from '#server/lib/random.ts'

/** The configured key, or the one generated on first start and readable by its owner alone. */
export function loadSecretKey(config: Config): string {
  if (config.SECRET_KEY !== '') return config.SECRET_KEY
  const file = join(config.DATA_DIR, 'secret.key')
  if (!existsSync(file)) {
    mkdirSync(config.DATA_DIR, { recursive: true })
    writeFileSync(file, `${randomText(64)}\n`, { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(file, 'utf8').trim()
}
