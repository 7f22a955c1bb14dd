import { writeOption } from '#server/db/stored-options.ts'
import { checkedText, missingNeeds } from '#server/resources/options/options.service.ts'
import { isOptionKey, type OptionKey } from '#shared/options.ts'
import type { ImportRun } from './import-run.ts'
import { SourceOption } from './rows.ts'

/** one-api's themes are other programs; ours is chosen by each visitor. */
const fitted = (key: OptionKey, value: string): string => (key === 'Theme' ? 'default' : value)

export async function importOptions(run: ImportRun): Promise<void> {
  const rows = await run.source.query(`select * from ${run.source.quote('options')}`)
  const values: Partial<Record<OptionKey, string>> = {}
  for (const { key, value } of rows.map((row) => SourceOption.parse(row))) {
    if (isOptionKey(key)) {
      const checked = check(run, key, fitted(key, value))
      if (checked !== null) values[key] = checked
    } else run.report.note('option without a counterpart left out', key)
  }
  for (const [key, value] of Object.entries(values)) {
    if (!isOptionKey(key)) continue
    const missing = value === 'true' ? missingNeeds(key, values) : []
    if (missing.length > 0) run.report.note('switch left off because it needs more settings', `${key} (${missing})`)
    await writeOption(run.tx, run.secrets, key, missing.length > 0 ? 'false' : value)
    run.report.count('options')
  }
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
