import { recountSoon, requestRecountOfAll } from '#server/billing/ledger/budgets/recount-budgets.ts'
import { priceOptions } from '#server/billing/pricing/own-prices.ts'
import type { Context } from '#server/context.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { lockOptions, readStoredOptions, writeOption } from '#server/db/stored-options.ts'
import { transact } from '#server/db/transact.ts'
import { fromTo } from '#server/history/changed-fields.ts'
import { logAction } from '#server/history/log-action.ts'
import { record } from '#server/history/record.ts'
import type { Actor } from '#server/http/call.ts'
import { hasFactor } from '#server/http/second-factors.ts'
import { AppError } from '#shared/errors.ts'
import { issueFault } from '#shared/faults.ts'
import type { LogEvent } from '#shared/log-events.ts'
import { optionBytesMax, priceOptionBytesMax } from '#shared/option-kinds.ts'
import { isOptionKey, type OptionKey, options, switchNeeds } from '#shared/options.ts'
import { allows } from '#shared/roles.ts'

type Stored = Partial<Record<OptionKey, string>>

const textOf = (stored: Stored, key: OptionKey): string => stored[key] ?? options[key].default

/** Every option that is not secret, as the text it is stored as. */
export async function listOptions(ctx: Context): Promise<{ key: string; value: string }[]> {
  const stored = await readStoredOptions(ctx.database.db, ctx.secrets)
  const keys = (Object.keys(options) as OptionKey[]).toSorted()
  return keys.filter((key) => !options[key].secret).map((key) => ({ key, value: textOf(stored, key) }))
}

const bytesMaxOf = (key: OptionKey): number =>
  (priceOptions as readonly OptionKey[]).includes(key) ? priceOptionBytesMax : optionBytesMax

/** Changes one option. When this resolves, this node works with the new value. */
export async function changeOption(ctx: Context, actor: Actor, change: { key: string; value: string }): Promise<void> {
  const { key } = change
  if (!isOptionKey(key)) throw new AppError('option.unknown', { key: key.slice(0, 60) })
  await requireWriter(ctx.database.db, actor, key, change.value)
  if (Buffer.byteLength(change.value) > bytesMaxOf(key)) throw new AppError('request.too_large')
  const value = checkedText(key, change.value)
  const changed = await transact(ctx, async (tx, announce) => {
    await lockOptions(tx)
    const stored = await readStoredOptions(tx, ctx.secrets)
    const before = textOf(stored, key)
    if (value === before && stored[key] !== undefined) return false
    if (value === 'true') requireNeeds(key, stored)
    requireUnneeded(key, { ...stored, [key]: value })
    await storeOption(ctx, tx, key, value)
    if (value !== before) {
      await logAction(ctx, tx, actor, optionEvent(key, before, value))
      const thing = { id: key, name: key, before: { value: before }, after: { value } }
      await record(ctx, tx, actor, { kind: 'option', things: [thing] })
    }
    announce({ topic: 'options' })
    return true
  })
  if (!changed) return
  await ctx.refreshOptions()
  if (key === 'TimeZone') await recountSoon(ctx)
}

function optionEvent(key: OptionKey, before: string, value: string): LogEvent {
  if (!options[key].secret) return { code: 'option.changed', values: { key, ...fromTo(before, value) } }
  return { code: value === '' ? 'option.secret_cleared' : 'option.secret_changed', values: { key } }
}

/** Writes an option and what follows from it: in another time zone the periods of budgets begin elsewhere. */
export async function storeOption(ctx: Context, tx: Tx, key: OptionKey, value: string): Promise<void> {
  await writeOption(tx, ctx.secrets, key, value)
  if (key === 'TimeZone') await requestRecountOfAll(tx, ctx)
}

/** Who may set this option to this value. Nobody may demand a second factor without having one. */
export async function requireWriter(
  db: Db | Tx,
  actor: Pick<Actor, 'id' | 'role'>,
  key: OptionKey,
  value: string,
): Promise<void> {
  if (!allows(actor.role, options[key].writer)) throw new AppError('option.root_only', { key })
  if (key !== 'AdminSecondFactorRequired' || value !== 'true') return
  if (!(await hasFactor(db, actor.id))) throw new AppError('auth.no_second_factor')
}

/** The text to store: checked, and in its normal form. */
export function checkedText(key: OptionKey, given: string): string {
  const parsed = options[key].schema.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const message = issue?.message ?? 'is not valid'
    const known = issue && issueFault(issue)
    throw new AppError('option.invalid', {
      ...(known && { ...known.params, reason: known.code }),
      key,
      detail: message.startsWith('must') ? `${key} ${message}` : message,
    })
  }
  const value: unknown = parsed.data
  if (Array.isArray(value)) return value.join(',')
  if (typeof value === 'object') return given.trim() || '{}'
  return String(value)
}

/** What still has to be filled in before a switch may be turned on. */
export const missingNeeds = (key: OptionKey, stored: Stored): OptionKey[] =>
  (switchNeeds[key] ?? []).filter((needed) => textOf(stored, needed).trim() === '')

/** Turned on and without what they need: a login that fails, or a check nobody passes. */
function requireUnneeded(key: OptionKey, then: Stored): void {
  const switches = (Object.keys(switchNeeds) as OptionKey[]).filter(
    (each) => each !== key && textOf(then, each) === 'true' && missingNeeds(each, then).includes(key),
  )
  if (switches.length > 0) throw new AppError('option.needed', { key, switches: switches.join(' and ') })
}

/** Options restored together must be consistent. */
export async function requireConsistent(ctx: Context, tx: Tx, changed: readonly OptionKey[]): Promise<void> {
  const stored = await readStoredOptions(tx, ctx.secrets)
  for (const key of changed) {
    if (textOf(stored, key) === 'true') requireNeeds(key, stored)
    requireUnneeded(key, stored)
  }
}

function requireNeeds(key: OptionKey, stored: Stored): void {
  const missing = missingNeeds(key, stored)
  if (missing.length > 0) throw new AppError('option.needs', { needed: missing.join(' and ') })
}
