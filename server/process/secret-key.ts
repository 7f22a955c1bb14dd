import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, using } from '#server/db/unusable.ts'
import { randomHex, randomText } from '#server/lib/random.ts'
import { type Config, secretKeyLeast } from './config.ts'
import { Refusal } from './refusal.ts'
import { isSealed } from './secret-check.ts'

/** The configured key, or the one generated on first start and readable by its owner alone. */
export async function loadSecretKey(config: Config): Promise<string> {
  if (config.SECRET_KEY !== '') return config.SECRET_KEY
  const file = join(config.DATA_DIR, 'secret.key')
  if (!existsSync(file)) {
    // Others that start at the same moment write the file before they seal anything.
    if ((await isSealed(config.DATABASE_URL)) && !existsSync(file)) throw new Refusal(missing(file))
    makeFolder(config.DATA_DIR)
    using(file, () => generate(file), wanted)
  }
  const key = using(file, () => readFileSync(file, 'utf8').trim(), wanted)
  if (key.length < secretKeyLeast) throw new Refusal(damaged(file))
  return key
}

const wanted = 'It must be a file that this user may read'

/** The file appears whole or not at all, also when the disk is full, the power fails or others start at the same moment. */
function generate(file: string): void {
  const draft = `${file}.${randomHex(8)}`
  try {
    const handle = openSync(draft, 'wx', 0o600)
    try {
      writeFileSync(handle, `${randomText(64)}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    linkSync(draft, file)
  } catch (error) {
    const wasFaster = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!wasFaster) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

const missing = (file: string): string =>
  `The secret key is missing: there is no ${file}, and this database was sealed with one. Put the file back from a backup, or set ` +
  'SECRET_KEY to the former key, and start again. Nothing was changed.'

const damaged = (file: string): string =>
  `The secret key in ${file} is damaged: it must have at least ${secretKeyLeast} characters. Put it back from a backup, or set SECRET_KEY. ` +
  'If this server has never run, delete the file and a new key is made; otherwise a new key opens nothing that is sealed in the database.'
