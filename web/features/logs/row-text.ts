import type { Log } from '#shared/api/logs.ts'
import { eventText } from '#shared/log-events.ts'
import { logType } from '#shared/statuses.ts'
import { locale, type TFunction } from '#web/lib/i18n.ts'
import { detailOf } from './charge.ts'

/** What a row says: how it was charged or what was done in the reader's language, otherwise the text it was stored with. */
export function rowText(t: TFunction, row: Log): string {
  const { charge, event, fault } = detailOf(row.detail)
  if (row.type !== logType.consumption)
    return (event && eventText(locale().logEvents, event, locale().fieldNames)) ?? row.content
  if (!charge || fault) return row.content
  const { groupRatio: group } = charge
  if (charge.by !== 'tokens') {
    const { count, each } = charge
    return t('logs.text.each', { amount: count, unit: t(`logs.detail.by.${charge.by}`), each, group })
  }
  const ratios = t('logs.text.ratios', { model: charge.modelRatio, group })
  const completion = charge.parts.find((part) => part.of === 'output')?.ratio
  return completion === undefined ? ratios : t('logs.text.completion', { ratios, completion })
}
