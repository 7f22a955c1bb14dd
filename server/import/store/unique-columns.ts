import type { Insertable } from 'kysely'
import type { UsersTable } from '#server/db/tables.ts'
import { looksOf } from '#server/lib/text/look-alike.ts'
import { foldedIn, heldBefore, type TakenValues } from './claims.ts'
import type { ImportRun } from './run.ts'

export type NewUser = Omit<Insertable<UsersTable>, 'id' | 'name_key'>
export interface Drafted {
  readonly id: number
  readonly account: NewUser
}

const uniqueColumns = [
  'username',
  'email',
  'github_id',
  'github_login',
  'wechat_id',
  'oidc_id',
  'access_token_hash',
  'aff_code',
] as const

type Column = (typeof uniqueColumns)[number] | 'name_key'

const words: Partial<Record<Column, string>> = { github_login: 'github id', access_token_hash: 'access token' }

/** How often a made name is tried with one more character behind it. */
const attempts = 4
const madeNames = (id: number): string[] => Array.from({ length: attempts }, (_, at) => `user_${id}${'_'.repeat(at)}`)

/** Accounts of a page with values nobody else has: where an earlier account has one already, it is cleared, and said so. */
export async function withUniqueValues(run: ImportRun, drafts: readonly Drafted[], upTo: number) {
  const claims = await claimsOf(run, drafts, upTo)
  return drafts.map(({ id, account }) => {
    const claim = (column: Column): string => {
      const value = String(account[column as keyof NewUser] ?? '')
      if (value === '' || take(claims, column, value)) return value
      run.report.note(`${words[column] ?? column.replace('_', ' ')} of another account cleared`, `user ${id}`)
      return ''
    }
    const own = Object.fromEntries(uniqueColumns.map((column) => [column, claim(column)]))
    const username = own.username || madeName(run, id, claims)
    const looks = looksOf(username)
    return { id, account: { ...account, ...own, username, name_key: take(claims, 'name_key', looks) ? looks : '' } }
  })
}

function take(claims: TakenValues<Column>, column: Column, value: string): boolean {
  const key = foldedIn(column, value)
  const isFree = !claims[column].has(key)
  claims[column].add(key)
  return isFree
}

async function claimsOf(run: ImportRun, drafts: readonly Drafted[], upTo: number): Promise<TakenValues<Column>> {
  const held = (column: Column, values: readonly string[]) => heldBefore(run, { table: 'users', column, values, upTo })
  const claims: Partial<Record<Column, Set<string>>> = {}
  for (const column of uniqueColumns) {
    claims[column] = await held(
      column,
      drafts.map(({ account }) => String(account[column] ?? '')),
    )
  }
  const names = drafts.map(({ account }) => account.username)
  const firsts = new Map(names.map((name, at) => [name, at] as const).reverse())
  const isTaken = (name: string, at: number) => name === '' || claims.username?.has(name) || firsts.get(name) !== at
  const made = drafts.filter(({ account }, at) => isTaken(account.username, at)).flatMap(({ id }) => madeNames(id))
  claims.username = new Set([...(claims.username ?? []), ...(await held('username', made))])
  claims.name_key = await held('name_key', [...names, ...made].map(looksOf))
  return claims as TakenValues<Column>
}

function madeName({ report }: ImportRun, id: number, claims: TakenValues<Column>): string {
  const name = madeNames(id).find((each) => take(claims, 'username', each)) ?? `user_${id}_${crypto.randomUUID()}`
  report.note('username missing or taken, a new one given', `user ${id} is now ${name}`)
  return name
}
