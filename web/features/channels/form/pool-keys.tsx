import type { Channel } from '#shared/api/channels.ts'
import { Facts } from '#web/components/form/form-page.tsx'
import { formatTime, nowSeconds } from '#web/lib/format.ts'
import { type TFunction, useTranslation } from '#web/lib/i18n.ts'

function wordsOf(t: TFunction, { resting_until, last_fault }: Channel['keys'][number]): string {
  if (resting_until > nowSeconds())
    return t('channels.form.keyRests', { time: formatTime(resting_until), fault: last_fault })
  return last_fault === '' ? t('channels.form.keyWell') : t('channels.form.keyRested', { fault: last_fault })
}

/** How each key of a pool fares; the keys themselves are never shown. */
export function PoolKeys({ keys }: { keys: Channel['keys'] }) {
  const { t } = useTranslation()
  if (keys.length === 0) return null
  const facts = keys.map((key, at) => ({
    label: t('channels.form.poolKey', { number: at + 1 }),
    value: wordsOf(t, key),
  }))
  return <Facts facts={facts} />
}
