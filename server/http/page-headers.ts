import type { OptionValues } from '#shared/options.ts'

const turnstile = 'https://challenges.cloudflare.com'

/** The origins of configured contents that are addresses: the console shows those in frames. */
function framedOrigins({ ChatLink, HomePageContent, About }: Framed): string[] {
  const origins = [ChatLink, HomePageContent, About].flatMap((content) => {
    const address = content.trim()
    if (!/^https?:\/\/\S+$/.test(address) || !URL.canParse(address)) return []
    return [new URL(address).origin]
  })
  return [...new Set(origins)]
}

/** A logo or QR code may have a plain http address, as in a private network. */
function pictureOrigins({ Logo, WeChatAccountQRCodeImageURL }: Framed): string[] {
  const addresses = [Logo, WeChatAccountQRCodeImageURL].map((address = '') => address.trim())
  const plain = addresses.filter((address) => /^http:\/\/\S+$/.test(address) && URL.canParse(address))
  return [...new Set(plain.map((address) => new URL(address).origin))]
}

type Framed = Pick<OptionValues, 'ChatLink' | 'HomePageContent' | 'About' | 'Logo' | 'WeChatAccountQRCodeImageURL'>

/** The content security policy of a page, from the current options. */
function contentSecurityPolicy(options: Framed): string {
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", turnstile],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'https:', ...pictureOrigins(options)],
    'connect-src': ["'self'"],
    'frame-src': ["'self'", turnstile, ...framedOrigins(options)],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'form-action': ["'self'"],
  }
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}

export const pageHeaders = (options: Framed): Record<string, string> => ({
  'content-security-policy': contentSecurityPolicy(options),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
})
