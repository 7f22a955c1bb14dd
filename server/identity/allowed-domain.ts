import { Email } from '#shared/api/auth.ts'
import { AppError } from '#shared/errors.ts'
import type { OptionValues } from '#shared/options.ts'

export function requireAllowedDomain(options: OptionValues, email: string): void {
  if (!options.EmailDomainRestrictionEnabled) return
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (!options.EmailDomainWhitelist.includes(domain)) throw new AppError('email.domain_refused')
}

/** The address another service vouches for, where the whitelist lets it in; else ''. */
export function keptEmail(options: OptionValues, email: string): string {
  const parsed = Email.safeParse(email)
  if (!parsed.success) return ''
  try {
    requireAllowedDomain(options, parsed.data)
    return parsed.data
  } catch {
    return ''
  }
}
