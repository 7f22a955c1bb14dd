import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/database.ts'
import type { LoginUser } from '#shared/api/auth.ts'
import { loginColumns } from './auth.store.ts'

export interface GithubIdentity {
  /** GitHub's numeric id as text: names change hands, ids do not. */
  readonly id: string
  readonly login: string
}

/** By id; else the one imported account that has nothing but the login name yet. */
export async function findGithubOwner(db: Db | Tx, { id, login }: GithubIdentity): Promise<LoginUser | undefined> {
  const users = db.selectFrom('users').select(loginColumns)
  const owner = await users.where('github_id', '=', id).executeTakeFirst()
  if (owner) return owner
  const imported = await users
    .where('github_id', '=', '')
    .where('github_login', '<>', '')
    .where(sql<string>`lower(github_login)`, '=', login.toLowerCase())
    .limit(2)
    .execute()
  return imported.length === 1 ? imported[0] : undefined
}

export const linkGithub = (tx: Db | Tx, userId: number, { id, login }: GithubIdentity) =>
  tx.updateTable('users').set({ github_id: id, github_login: login }).where('id', '=', userId).executeTakeFirst()

export const findWechatOwner = (db: Db, wechatId: string): Promise<LoginUser | undefined> =>
  db.selectFrom('users').select(loginColumns).where('wechat_id', '=', wechatId).executeTakeFirst()

export const linkWechat = (db: Db | Tx, userId: number, wechatId: string) =>
  db.updateTable('users').set({ wechat_id: wechatId }).where('id', '=', userId).executeTakeFirst()
