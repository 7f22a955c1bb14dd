import type { Channel } from '#shared/api/channels.ts'
import { Facts } from '#web/components/form/form-page.tsx'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** How each key of a pool fares; the keys themselves are never shown. */
export function PoolKeys({ keys }: { keys: Channel['keys'] }) {
  const { t } = useTranslation()
  if (keys.length === 0) return null
  const facts = keys.map(({ resting_until, last_fault }, at) => ({
    label: t('channels.form.poolKey', { number: at + 1 }),
    value:
      resting_until > 0
        ? t('channels.form.keyRests', { time: formatTime(resting_until), fault: last_fault })
        : t('channels.form.keyWell'),
  }))
  return <Facts facts={facts} />
}
