import { recountSoon } from '#server/billing/ledger/budgets/recount-budgets.ts'
import { lockOptions, readStoredOptions } from '#server/db/stored-options.ts'
import type { Restorer } from '#server/history/restorer.ts'
import { AppError } from '#shared/errors.ts'
import { isOptionKey, type OptionKey, options } from '#shared/options.ts'
import { requireConsistent, requireWriter, storeOption } from './options.service.ts'

const set: Restorer['change'] = async ({ ctx, tx, announce }, target, fields) => {
  await storeOption(ctx, tx, knownKey(target), String(fields.value ?? ''))
  announce({ topic: 'options' })
}

function knownKey(target: string): OptionKey {
  if (!isOptionKey(target)) throw new AppError('option.unknown', { key: target })
  return target
}

/** An option is always there: it is changed, never brought back or deleted. */
export const optionRestorer: Restorer = {
  async read(db, targets, lock, { secrets }) {
    if (lock) await lockOptions(db)
    const stored = await readStoredOptions(db, secrets)
    return new Map(
      targets.filter(isOptionKey).map((key) => [key as string, { value: stored[key] ?? options[key].default }]),
    )
  },
  allow: (_ctx, actor, { target, to }, db) => requireWriter(db, actor, knownKey(target), String(to?.value ?? '')),
  change: set,
  insert: set,
  agree: ({ ctx, tx }, targets) => requireConsistent(ctx, tx, targets.filter(isOptionKey)),
  finish: recountSoon,
  async remove() {
    throw new AppError('history.final')
  },
}
