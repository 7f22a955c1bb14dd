import { PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { OwnerProof } from '#shared/api/proof.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { secondFactorQuery } from '#web/state/queries/security-queries.ts'

interface Props {
  readonly value: string
  readonly onChange: (typed: string) => void
  readonly autoFocus?: boolean
}

/** The own password or, where there is an authenticator app, a code of it. */
export function ProofInput({ value, onChange, autoFocus = false }: Props) {
  const { t } = useTranslation()
  const { data: factors } = useQuery(secondFactorQuery)
  return (
    <PasswordInput
      label={t(factors?.totp ? 'security.proofOrCode' : 'security.proof')}
      autoComplete="current-password"
      autoFocus={autoFocus}
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const codeOfApp = /^\d{6}$/
const recoveryCode = /^[a-z2-9]{5}-[a-z2-9]{5}$/i

/** What was typed, as the call takes it. */
export function useProof(): (typed: string) => OwnerProof {
  const { data: factors } = useQuery(secondFactorQuery)
  return (typed) => {
    if (typed === '') return {}
    const isCode = factors?.totp === true && (codeOfApp.test(typed.trim()) || recoveryCode.test(typed.trim()))
    return isCode ? { second_factor: typed.trim() } : { password: typed }
  }
}
