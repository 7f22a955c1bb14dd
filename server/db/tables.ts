import type { Generated } from 'kysely'
import type { BudgetPeriod } from '#shared/budget.ts'
import type { TeamRole } from '#shared/teams.ts'
import type { LogsTable } from './logs/logs-table.ts'
import type { Keys, StoredCell, UsageLogRow } from './usage/cells.ts'

/** A budget and what counts on it: the period that runs, what it has used and what running requests hold of it. */
export interface BudgetColumns {
  /** 0: none. Use and holds are counted all the same. */
  budget: Generated<number>
  budget_period: Generated<BudgetPeriod>
  budget_used: Generated<number>
  /** On SQLite holds are in memory. */
  budget_held: Generated<number>
  budget_from: Generated<number>
  budget_to: Generated<number>
}

/** Requests and tokens a minute, requests at one time; 0: none. */
export interface LimitColumns {
  rpm: Generated<number>
  tpm: Generated<number>
  parallel: Generated<number>
}

/** Booleans are 0 or 1, times are epoch seconds, on both engines. */
export interface UsersTable extends BudgetColumns {
  id: Generated<number>
  username: string
  password_hash: string
  display_name: string
  role: number
  status: number
  /** '' when there is none; otherwise unique. */
  email: string
  /** GitHub's numeric id as text; an imported login name is kept in `github_login` until its owner logs in. */
  github_id: string
  github_login: string
  wechat_id: string
  /** Issuer and subject of an OpenID Connect login. */
  oidc_id: Generated<string>
  access_token_hash: string
  quota: Generated<number>
  used_quota: Generated<number>
  request_count: Generated<number>
  group: string
  aff_code: string
  inviter_id: number
  created_time: number
  /** What the name looks like, so that no two look the same; '' for those that did so before. */
  name_key: Generated<string>
}

export interface TokensTable extends BudgetColumns, LimitColumns {
  id: Generated<number>
  user_id: number
  name: string
  key_hash: string
  key_sealed: string
  status: number
  created_time: number
  accessed_time: number
  expired_time: number
  remain_quota: Generated<number>
  unlimited_quota: number
  used_quota: Generated<number>
  models: string
  subnet: string
  /** 0: it spends from the wallet of its user. */
  team_id: Generated<number>
  /** '': all groups of its user. */
  group: Generated<string>
  /** The key before the last rotation, while it still works. */
  previous_key_hash: Generated<string>
  previous_key_expires: Generated<number>
}

export interface TeamsTable extends BudgetColumns {
  id: Generated<number>
  name: string
  quota: Generated<number>
  used_quota: Generated<number>
  request_count: Generated<number>
  created_time: number
}

export interface TeamMembersTable extends BudgetColumns {
  id: Generated<number>
  team_id: number
  user_id: number
  role: TeamRole
  used_quota: Generated<number>
  joined_time: number
}

/** Whoever spends from the budget of another member of his team. Of one who has left, so that what he spent stays on it. */
export interface TeamBudgetSharesTable {
  team_id: number
  user_id: number
  /** The membership that has the budget. */
  member_id: number
}

export interface TeamInvitesTable {
  id: Generated<number>
  team_id: number
  role: TeamRole
  code_hash: string
  created_by: number
  created_time: number
  expires_at: number
}

/** What was admitted in the last minute, for limits that several nodes share. */
export interface LimitWindowsTable {
  key: string
  /** JSON. */
  state: string
  updated_at: number
}

export interface ChannelsTable extends LimitColumns {
  id: Generated<number>
  name: string
  type: number
  key_sealed: string
  /** Finds a channel by its whole key. */
  key_hash: string
  base_url: string
  other: string
  model_mapping: string
  models: string
  group: string
  status: number
  priority: number
  weight: number
  response_time: number
  test_time: number
  balance: number
  balance_updated_time: number
  used_quota: Generated<number>
  created_time: number
  /** What the operator pays there, as a share of the public list price. */
  cost_ratio: Generated<number>
  /** Comma-separated. */
  tags: Generated<string>
  /** JSON objects, or ''. */
  headers: Generated<string>
  overrides: Generated<string>
  /** '' when there is none. */
  proxy_sealed: Generated<string>
  test_model: Generated<string>
  /** 1: every line of the key is a key of this channel. */
  pool: Generated<number>
  /** What the last test said; '' when the channel answered, or was never tested. */
  test_fault: Generated<string>
  /** The last fault a request met there, and when. */
  last_error: Generated<string>
  last_error_time: Generated<number>
}

/** Keys of pools that failed; those without a row are well. */
export interface ChannelKeysTable {
  channel_id: number
  key_hash: string
  resting_until: number
  rest_seconds: number
  last_fault: string
}

export interface RedemptionsTable {
  id: Generated<number>
  user_id: number
  name: string
  /** How a code is recognised: a keyed hash of it, or the code itself where it is older than that. See `accounts/redemption-code.ts`. */
  key: string
  key_sealed: Generated<string>
  status: number
  quota: number
  created_time: number
  redeemed_time: number
  redeemed_by: number
  /** From then on it pays nothing; 0: never. */
  expired_time: Generated<number>
}

export interface OptionsTable {
  key: string
  value: string
}

/** Sums of log rows by UTC day, for totals over millions of rows: of all, by user, by token name. See `log-totals.ts`. */
export interface LogTotalsTable {
  day: number
  type: number
  model_name: string
  channel: number
  count: number
  quota: number
  tokens: number
}

export interface UserLogTotalsTable extends LogTotalsTable {
  user_id: number
  token_name: string
}

export interface TokenLogTotalsTable extends LogTotalsTable {
  token_name: string
}

/** Requests that were not logged, until they are in the roll-ups. */
export interface UnloggedUsageTable extends UsageLogRow {
  id: Generated<number>
}

/** Sums of requests by quarter hour and by UTC day, kept when the log is cleared. See `usage/shapes.ts`. */
interface UsageTable extends StoredCell {
  /** Seconds; see `Span`. */
  span: number
  /** When it begins. */
  slot: number
}

export type UsageDetailsTable = UsageTable & Keys
export type UsageRoutesTable = UsageTable & Pick<Keys, 'model_name' | 'channel' | 'group'>
export type UsagePeopleTable = UsageTable & Pick<Keys, 'user_id' | 'token_id' | 'token_name' | 'team_id' | 'group'>
export type UsageTotalsTable = UsageTable
export type UsageModelsTable = UsageTable & Pick<Keys, 'model_name'>
export type UsageChannelsTable = UsageTable & Pick<Keys, 'channel'>
export type UsageGroupsTable = UsageTable & Pick<Keys, 'group'>
export type UsageTeamsTable = UsageTable & Pick<Keys, 'team_id'>

export interface LedgerEntriesTable {
  id: Generated<number>
  user_id: number
  token_id: number
  kind: string
  /** What the user's wallet changed by; nothing when a team pays. */
  amount: number
  /** What the token's balance changed by; 0 for unlimited tokens. */
  token_amount: number
  /** The request or thing that caused it; unique, so nothing is booked twice. */
  ref: string
  created_at: number
  /** The team whose wallet changed, and by how much; the user is the member who caused it. */
  team_id: Generated<number>
  team_amount: Generated<number>
  /** When the request was admitted: its charge counts in the budgets of that moment. 0 for what is no request. */
  admitted_at: Generated<number>
}

/** Money held for a running request. A balance is the sum of its entries less its open holds. */
export interface HoldsTable {
  /** The request id. */
  id: string
  user_id: number
  token_id: number
  amount: number
  token_amount: number
  node_id: string
  created_at: number
  team_id: Generated<number>
  member_id: Generated<number>
  team_amount: Generated<number>
  /** What is held of every budget it counts on. */
  budget_amount: Generated<number>
  /** The channel it is sent through, where that has limits. */
  channel_id: Generated<number>
}

/** What is left to be done in steps behind a transaction that has committed. */
export interface LaterWorkTable {
  /** `recount user`, `recount token`, …: a budget to be counted anew; `recount all`: every one; `erase`: a closed account. */
  kind: string
  /** Of what; of `recount all` a moment in milliseconds. */
  id: number
  /** Another one whenever there is new reason for it. */
  stamp: Generated<string>
}

export interface NodesTable {
  id: string
  lease_until: number
}

export interface SessionsTable {
  id_hash: string
  user_id: number
  created_at: number
  expires_at: number
  /** What the browser calls itself. */
  device: Generated<string>
  address: Generated<string>
  last_seen: Generated<number>
}

export interface CodesTable {
  purpose: string
  subject: string
  code_hash: string
  expires_at: number
  tries_left: number
}

export interface OauthStatesTable {
  state_hash: string
  /** Hash of the browser's binding cookie. */
  binding_hash: string
  purpose: string
  user_id: number
  expires_at: number
  /** What the way back is checked against, sealed; '' where nothing is. */
  sealed: Generated<string>
}

/** One change by somebody with rights; what it changed stands in its items. See `server/history`. */
export interface HistoryTable {
  id: Generated<number>
  created_at: number
  /** 0 for the system and the command line, which `actor` names. */
  actor_id: number
  actor: string
  address: string
  kind: string
  /** Why it can never be undone; '' when it can. */
  final: string
  /** The entry this one undoes, and the one that undid this; 0 for none. */
  undoes: Generated<number>
  undone_by: Generated<number>
}

export interface HistoryItemsTable {
  id: Generated<number>
  history_id: number
  kind: string
  target: string
  name: string
  /** JSON objects; '' where there was nothing before, or is nothing after. */
  before: string
  after: string
  /** The secret fields of both, sealed; '' when there are none or their time is over. */
  sealed: string
}

export interface TotpTable {
  user_id: number
  secret_sealed: string
  confirmed: number
  /** The last time step that was used: each counts once. */
  last_step: number
  created_time: number
}

export interface RecoveryCodesTable {
  user_id: number
  code_hash: string
}

export interface PasskeysTable {
  id: Generated<number>
  user_id: number
  name: string
  credential_id: string
  public_key: string
  counter: number
  /** Comma-separated. */
  transports: string
  created_time: number
  used_time: number
}

/** A login whose password was right and whose second factor is awaited. */
export interface LoginTicketsTable {
  ticket_hash: string
  user_id: number
  expires_at: number
  tries_left: number
  /** Of the passkey that may end it; '' until one is asked for. */
  challenge: string
}

export interface PasskeyChallengesTable {
  challenge_hash: string
  purpose: string
  user_id: number
  expires_at: number
}

export interface KnownDevicesTable {
  user_id: number
  device_hash: string
  seen_at: number
}

/** Addresses and external identities that had their gifts, as keyed hashes, also when the account is gone. */
export interface GiftsGivenTable {
  identity_hash: string
  given_at: number
}

/** From where an account was entered before, as keyed hashes. */
export interface LoginAddressesTable {
  user_id: number
  address_hash: string
  seen_at: number
}

export interface RateWindowsTable {
  bucket: string
  window: number
  count: number
}

/** Ids of what vendors, or the relay itself, keep for a user: who made them and through which channel. */
export interface RelayStateTable {
  user_id: number
  id: string
  /** `response`, `item`, `conversation`, `thread`, `cache`, and whatever else is kept under an id. */
  kind: string
  /** 0 when the relay keeps it itself. */
  channel_id: number
  /** Which key of the channel's pool. */
  key_hash: string
  /** The response an item belongs to. */
  parent: string
  /** Of a response that is made in the background; '' otherwise. */
  status: string
  /** The node that makes it. */
  node: string
  /** What the relay keeps; '' when the vendor does. */
  body_sealed: string
  created_at: number
  expires_at: number
  /** How many places its items have taken; -1 where they stand in `body_sealed` still. */
  items: number
  /** What its items are long, unsealed. */
  items_bytes: number
}

/** An item of a conversation that the relay keeps itself. */
export interface RelayItemsTable {
  user_id: number
  parent: string
  position: number
  /** Its own id, which a conversation may have twice. */
  id: string
  bytes: number
  body_sealed: string
}

/** What a vendor works on for minutes or hours. The row goes when it is paid. */
export interface LongWorkTable {
  /** The id of the request that began it; its holds are named after it. */
  id: string
  /** A row of the table of kinds. */
  kind: string
  user_id: number
  /** What its vendor calls it; '' while the vendor is being asked to begin. */
  vendor_id: string
  channel_id: number
  key_hash: string
  /** The node that began it. */
  node: string
  /** Who pays, and at which prices. */
  facts_sealed: string
  created_at: number
  next_look_at: number
  /** What nobody could find out by then is given back. */
  ends_at: number
}

/** Rate limits of the vendor, and rests after failures. */
export type ChannelTrouble = 'limit' | 'rest'

/** Quarter hours in which a channel was in trouble; kept for some days. */
export interface ChannelTroublesTable {
  channel_id: number
  kind: ChannelTrouble
  /** Where it begins, in epoch seconds. */
  slot: number
}

export interface MetaTable {
  key: string
  value: string
}

export interface Tables {
  users: UsersTable
  tokens: TokensTable
  teams: TeamsTable
  team_members: TeamMembersTable
  team_invites: TeamInvitesTable
  team_budget_shares: TeamBudgetSharesTable
  limit_windows: LimitWindowsTable
  channels: ChannelsTable
  channel_keys: ChannelKeysTable
  channel_troubles: ChannelTroublesTable
  redemptions: RedemptionsTable
  options: OptionsTable
  logs: LogsTable
  log_totals: LogTotalsTable
  user_log_totals: UserLogTotalsTable
  token_log_totals: TokenLogTotalsTable
  unlogged_usage: UnloggedUsageTable
  usage_details: UsageDetailsTable
  usage_routes: UsageRoutesTable
  usage_people: UsagePeopleTable
  usage_totals: UsageTotalsTable
  usage_models: UsageModelsTable
  usage_channels: UsageChannelsTable
  usage_groups: UsageGroupsTable
  usage_teams: UsageTeamsTable
  ledger_entries: LedgerEntriesTable
  holds: HoldsTable
  nodes: NodesTable
  sessions: SessionsTable
  codes: CodesTable
  oauth_states: OauthStatesTable
  history: HistoryTable
  history_items: HistoryItemsTable
  totp: TotpTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  login_tickets: LoginTicketsTable
  passkey_challenges: PasskeyChallengesTable
  known_devices: KnownDevicesTable
  gifts_given: GiftsGivenTable
  login_addresses: LoginAddressesTable
  relay_state: RelayStateTable
  relay_items: RelayItemsTable
  long_work: LongWorkTable
  later_work: LaterWorkTable
  rate_windows: RateWindowsTable
  meta: MetaTable
}
