import { writeOption } from '#server/db/stored-options.ts'
import { checkedText, missingNeeds } from '#server/resources/options/options.service.ts'
import { isOptionKey, type OptionKey } from '#shared/options.ts'
import { type ImportRun, noteEncoding } from './run.ts'

/** Themes of other programs are other programs; ours is chosen by each visitor. */
const fitted = (key: OptionKey, value: string): string => (key === 'Theme' ? 'default' : value)

export async function storeOptions(run: ImportRun): Promise<void> {
  const values: Partial<Record<OptionKey, string>> = {}
  for (const [key, value] of await run.reader.options()) {
    noteEncoding(run, `option ${key}`, value)
    if (isOptionKey(key)) {
      const checked = check(run, key, fitted(key, value))
      if (checked !== null) values[key] = checked
    } else run.report.note('option without a counterpart left out', key)
  }
  closeRegistration(run, values)
  if (!run.seen.isNews('options', 0, values)) return
  for (const [key, value] of Object.entries(values)) {
    if (!isOptionKey(key)) continue
    const missing = value === 'true' ? missingNeeds(key, values) : []
    if (missing.length > 0) run.report.note('switch left off because it needs more settings', `${key} (${missing})`)
    await writeOption(run.tx, run.secrets, key, missing.length > 0 ? 'false' : value)
    run.report.count('options')
  }
}

/** What keeps strangers from registering. */
const guards = ['EmailVerificationEnabled', 'TurnstileCheckEnabled', 'EmailDomainRestrictionEnabled'] as const

/** Nobody registers here who could not there: where a guard cannot be kept, registration is switched off. */
function closeRegistration({ report }: ImportRun, values: Partial<Record<OptionKey, string>>): void {
  const lost = guards.filter((key) => values[key] === 'true' && missingNeeds(key, values).length > 0)
  if (lost.length === 0 || values.RegisterEnabled === 'false') return
  values.RegisterEnabled = 'false'
  report.note('registration is switched off until this is set up', lost.join(', '))
}

/** Values stay out of the report: some are secrets. */
function check({ report }: ImportRun, key: OptionKey, value: string): string | null {
  try {
    return checkedText(key, value)
  } catch {
    report.note('option with an invalid value left out', key)
    return null
  }
}
