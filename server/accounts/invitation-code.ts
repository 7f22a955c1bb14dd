import type { Tx } from '#server/db/database.ts'
import { randomText } from '#server/lib/random.ts'

const triesPerLength = 4

/** An invitation code nobody has: four characters, longer when those get scarce. */
export async function freeAffCode(tx: Tx, length = 4): Promise<string> {
  for (let at = 0; at < triesPerLength; at++) {
    const code = randomText(length)
    const taken = await tx.selectFrom('users').select('id').where('aff_code', '=', code).executeTakeFirst()
    if (!taken) return code
  }
  return freeAffCode(tx, length + 1)
}
