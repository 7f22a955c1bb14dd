import { type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { contains } from '#server/db/contains.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { offsetOf } from '#server/db/page.ts'
import type { TeamInvitesTable, TeamMembersTable, TeamsTable } from '#server/db/tables.ts'
import type { PageInput } from '#shared/pagination.ts'
import type { TeamRole } from '#shared/teams.ts'

export type TeamRow = Selectable<TeamsTable>
export type MemberRow = Selectable<TeamMembersTable>

export interface TeamListing extends PageInput {
  readonly userId: number
  readonly all: boolean
  readonly keyword: string
}

const matching = (db: Db, { userId, all, keyword }: Omit<TeamListing, keyof PageInput>) =>
  db
    .selectFrom('teams')
    .leftJoin('team_members as own', (join) =>
      join.onRef('own.team_id', '=', 'teams.id').on('own.user_id', '=', userId),
    )
    .$if(!all, (query) => query.where('own.id', 'is not', null))
    .$if(keyword !== '', (query) => query.where(({ ref }) => contains(ref('teams.name'), keyword)))

const memberCount = sql<number>`(select count(*) from team_members where team_members.team_id = teams.id)`

const shown = (db: Db, listing: Omit<TeamListing, keyof PageInput>) =>
  matching(db, listing)
    .selectAll('teams')
    .select(['own.role as role', memberCount.as('member_count')])

export type ShownTeam = TeamRow & { readonly role: TeamRole | null; readonly member_count: number }

export const listTeams = (db: Db, listing: TeamListing): Promise<ShownTeam[]> =>
  shown(db, listing).orderBy('teams.id', 'desc').limit(listing.pagesize).offset(offsetOf(listing)).execute()

export async function countTeams(db: Db | Tx, listing: Omit<TeamListing, keyof PageInput>): Promise<number> {
  const row = await matching(db, listing)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export const findTeam = (db: Db | Tx, id: number, userId: number): Promise<ShownTeam | undefined> =>
  shown(db, { userId, all: true, keyword: '' }).where('teams.id', '=', id).executeTakeFirst()

/** The row, locked until the transaction ends. */
export const lockTeam = (tx: Tx, id: number): Promise<TeamRow | undefined> =>
  tx.updateTable('teams').set({ name: sql<string>`name` }).where('id', '=', id).returningAll().executeTakeFirst()

export async function insertTeam(tx: Tx, name: string, at: number): Promise<number> {
  const { id } = await tx
    .insertInto('teams')
    .values({ name, created_time: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateTeam(tx: Tx, id: number, fields: Pick<Updateable<TeamsTable>, 'name' | 'budget'>) {
  if (Object.keys(fields).length > 0) await tx.updateTable('teams').set(fields).where('id', '=', id).execute()
}

export const memberOf = (db: Db | Tx, teamId: number, userId: number): Promise<MemberRow | undefined> =>
  db
    .selectFrom('team_members')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Each with the budget he spends from, be it another's. */
export const listMembers = (db: Db | Tx, teamId: number) =>
  db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .leftJoin('team_budget_shares as share', (join) =>
      join.onRef('share.team_id', '=', 'team_members.team_id').onRef('share.user_id', '=', 'team_members.user_id'),
    )
    .innerJoin('team_members as account', (join) =>
      join.on(sql<SqlBool>`account.id = coalesce(share.member_id, team_members.id)`),
    )
    .selectAll('team_members')
    .select(['account.budget', 'account.budget_period', 'account.budget_used', 'account.budget_held'])
    .select(['account.budget_from', 'account.budget_to', 'users.username', 'users.display_name'])
    .where('team_members.team_id', '=', teamId)
    .orderBy('team_members.joined_time')
    .orderBy('team_members.id')
    .execute()

/** The role, in all of Switchyard, of who owns a team. */
export async function ownerRoleOf(db: Db | Tx, teamId: number): Promise<number | undefined> {
  const owner = await db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .select('users.role')
    .where('team_members.team_id', '=', teamId)
    .where('team_members.role', '=', 'owner')
    .executeTakeFirst()
  return owner?.role
}

/** The users in any of these teams. */
export async function membersOf(db: Db | Tx, teamIds: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('team_members').select('user_id').where('team_id', 'in', teamIds).execute()
  return rows.map(({ user_id }) => user_id)
}

export async function insertMember(
  tx: Tx,
  member: { id?: number; team_id: number; user_id: number; role: TeamRole; joined_time: number },
): Promise<number> {
  const { id } = await tx.insertInto('team_members').values(member).returning('id').executeTakeFirstOrThrow()
  return id
}

export const updateMember = (tx: Tx, id: number, fields: Pick<Updateable<TeamMembersTable>, 'role' | 'budget'>) =>
  tx.updateTable('team_members').set(fields).where('id', '=', id).execute()

/** The tokens of a member, or of everyone, end. Returns which. */
export async function deleteTeamTokens(tx: Tx, teamId: number, userId?: number): Promise<number[]> {
  const rows = await tx
    .deleteFrom('tokens')
    .where('team_id', '=', teamId)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** How many requests of a team are written down as running. */
export async function openTeamHolds(tx: Tx, teamId: number): Promise<number> {
  const row = await tx
    .selectFrom('holds')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('team_id', '>', 0)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function deleteTeam(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('team_invites').where('team_id', '=', id).execute()
  await tx.deleteFrom('team_budget_shares').where('team_id', '=', id).execute()
  await tx.deleteFrom('team_members').where('team_id', '=', id).execute()
  await tx.deleteFrom('teams').where('id', '=', id).execute()
}

/** An invitation is worth what its author may still do: one to be a manager is the owner's, any other a manager's too. */
const authorMayInvite = sql<SqlBool>`exists (
  select 1 from team_members as author
  where author.team_id = team_invites.team_id and author.user_id = team_invites.created_by
    and (author.role = 'owner' or (author.role = 'manager' and team_invites.role = 'member')))`

const openInvites = (db: Db | Tx, teamId: number, now: number) =>
  db.selectFrom('team_invites').where('team_id', '=', teamId).where('expires_at', '>', now).where(authorMayInvite)

export const listInvites = (db: Db, teamId: number, now: number, page: PageInput) =>
  openInvites(db, teamId, now).selectAll().orderBy('id', 'desc').limit(page.pagesize).offset(offsetOf(page)).execute()

export async function countInvites(db: Db, teamId: number, now: number): Promise<number> {
  const row = await openInvites(db, teamId, now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertInvite(tx: Tx, invite: Omit<Selectable<TeamInvitesTable>, 'id'>): Promise<number> {
  const { id } = await tx.insertInto('team_invites').values(invite).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Takes an invitation away, so that nobody else can use it. */
export const takeInvite = (tx: Tx, which: { codeHash: string; now: number }) =>
  tx
    .deleteFrom('team_invites')
    .where('code_hash', '=', which.codeHash)
    .where('expires_at', '>', which.now)
    .where(authorMayInvite)
    .returningAll()
    .executeTakeFirst()

export async function deleteInvite(tx: Tx, teamId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('team_invites')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The sum of all gifts to a user. */
export async function giftsReceived(tx: Tx, userId: number): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select cast(coalesce(sum(amount), 0) as bigint) as sum from ledger_entries
    where user_id = ${userId} and ${sql<SqlBool>`kind in ('grant', 'invite')`} and amount > 0`.execute(tx)
  return rows[0]?.sum ?? 0
}
