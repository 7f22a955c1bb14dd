import { useQuery } from '@tanstack/react-query'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { secondFactorQuery } from '#web/state/queries/security-queries.ts'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'
import styles from './security.module.css'

/** The second factors of the own account. */
export function Security() {
  const { data: factors, isLoadingError, refetch } = useQuery(secondFactorQuery)
  if (isLoadingError) return <CannotLoad onRetry={refetch} />
  return (
    <div className={styles.parts}>
      <AuthenticatorApp factors={factors} />
      <Passkeys />
    </div>
  )
}
