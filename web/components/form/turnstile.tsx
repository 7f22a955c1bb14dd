import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { loadTurnstile, type TurnstileApi } from '#web/lib/identity/turnstile.ts'
import { toast } from '#web/lib/toast.tsx'

interface Props {
  siteKey: string
  /** Called with the token, and with '' when it has expired. */
  onToken: (token: string) => void
}

export function Turnstile({ siteKey, onToken }: Props) {
  const { t } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useEffect(() => {
    let gone = false
    let drawn: { api: TurnstileApi; widget: string } | undefined
    const draw = (api: TurnstileApi) => {
      if (gone || !place.current) return
      const options = { sitekey: siteKey, theme: scheme, callback: onToken, 'expired-callback': () => onToken('') }
      drawn = { api, widget: api.render(place.current, options) }
    }
    loadTurnstile().then(draw, () => gone || toast.error(t('auth.turnstileFailed')))
    return () => {
      gone = true
      drawn?.api.remove(drawn.widget)
    }
  }, [siteKey, scheme, onToken, t])
  return <div ref={place} style={{ minHeight: 65 }} />
}
