import type { Report } from '#server/import/report.ts'
import { createTextSet, type TextSet } from '#server/lib/flat-sets.ts'

const kinds = [
  'username',
  'name_key',
  'email',
  'github_id',
  'github_login',
  'wechat_id',
  'oidc_id',
  'access_token',
  'aff_code',
] as const

type Kind = (typeof kinds)[number]

/** Values only one account may have: the first keeps it. */
export type Claims = Readonly<Record<Kind, TextSet>>

export const newClaims = (): Claims =>
  Object.fromEntries(kinds.map((kind) => [kind, createTextSet()])) as unknown as Claims

const words: Partial<Record<Kind, string>> = { github_login: 'github id' }

/** Answers the value when nobody has it yet, and otherwise nothing, and says so. */
export function claimer(report: Report, claims: Claims, subject: string) {
  return (kind: Kind, value: string): string => {
    const key = kind === 'github_login' ? value.toLowerCase() : value
    if (value === '') return ''
    if (!claims[kind].has(key)) {
      claims[kind].add(key)
      return value
    }
    report.note(`${words[kind] ?? kind.replace('_', ' ')} of another account cleared`, subject)
    return ''
  }
}
