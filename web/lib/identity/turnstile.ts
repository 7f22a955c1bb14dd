const source = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

export interface TurnstileApi {
  render: (
    place: HTMLElement,
    options: {
      sitekey: string
      theme: 'light' | 'dark'
      callback: (token: string) => void
      'expired-callback': () => void
    },
  ) => string
  remove: (widget: string) => void
}

declare global {
  interface Window {
    turnstile?: TurnstileApi
  }
}

let loading: Promise<TurnstileApi> | undefined

function inject(): Promise<TurnstileApi> {
  const { promise, resolve, reject } = Promise.withResolvers<TurnstileApi>()
  const script = document.createElement('script')
  const fail = () => {
    script.remove()
    loading = undefined
    reject(new Error('Failed to load Turnstile.'))
  }
  script.src = source
  script.async = true
  script.onload = () => (window.turnstile ? resolve(window.turnstile) : fail())
  script.onerror = fail
  document.head.append(script)
  return promise
}

/** The bot check's script, loaded once. */
export function loadTurnstile(): Promise<TurnstileApi> {
  loading ??= window.turnstile ? Promise.resolve(window.turnstile) : inject()
  return loading
}
