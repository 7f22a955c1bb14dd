import { type ReactNode, useState } from 'react'
import { Turnstile } from '#web/components/form/turnstile.tsx'
import { useStatus } from '#web/state/status.tsx'

export interface BotCheck {
  /** Off, or passed. */
  passed: boolean
  /** To be sent along; `undefined` when the check is off. */
  token: string | undefined
  /** Tokens are good for one call: asks for another. */
  renew: () => void
  widget: ReactNode
}

/** The bot check of a form, when the operator has switched it on. */
export function useBotCheck(): BotCheck {
  const { turnstile_check, turnstile_site_key } = useStatus()
  const [token, setToken] = useState('')
  const [round, setRound] = useState(0)
  if (!turnstile_check) return { passed: true, token: undefined, renew: () => undefined, widget: null }
  return {
    passed: token !== '',
    token,
    renew: () => {
      setToken('')
      setRound(round + 1)
    },
    widget: <Turnstile key={round} siteKey={turnstile_site_key} onToken={setToken} />,
  }
}
