import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Session, sessionsApi } from '#shared/api/sessions.ts'
import { ConfirmButton } from '#web/components/overlay/confirm-button.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { useFocusHandedOn } from '#web/hooks/use-focus-back.ts'
import { call } from '#web/lib/api.ts'
import { formatMinute } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { sessionsQuery } from '#web/state/queries/security-queries.ts'
import styles from './security.module.css'

/** Where the own account is logged in; each place can be ended. */
export function Sessions() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data, isLoadingError, refetch } = useQuery(sessionsQuery)
  const again = () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  const end = useMutation({
    mutationFn: (id: string) => call(sessionsApi.remove, { id }),
    onSuccess: async () => {
      toast.success(t('security.ended'))
      await again()
    },
  })
  const endOthers = useMutation({
    mutationFn: () => call(sessionsApi.removeOthers),
    onSuccess: async (count) => {
      toast.success(t('security.othersEnded', { count }))
      await again()
    },
  })
  if (isLoadingError) return <CannotLoad onRetry={refetch} />
  const question = { title: t('security.endQuestion'), verb: t('security.endOthers') }
  return (
    <div className={styles.part}>
      {data?.list.map((session) => (
        <SessionLine key={session.id} session={session}>
          {!session.current && (
            <Button
              aria-label={`${t('security.end')} ${session.device || t('security.unknownDevice')}`}
              loading={end.isPending && end.variables === session.id}
              onClick={() => end.mutate(session.id)}
            >
              {t('security.end')}
            </Button>
          )}
        </SessionLine>
      ))}
      {(data?.total ?? 0) > 1 && (
        <div>
          <ConfirmButton question={question} onConfirm={() => endOthers.mutateAsync().catch(() => {})}>
            {t('security.endOthers')}
          </ConfirmButton>
        </div>
      )}
    </div>
  )
}

function SessionLine({ session, children }: { session: Session; children: ReactNode }) {
  const { device, address, last_seen, current } = session
  const { t } = useTranslation()
  const line = useFocusHandedOn<HTMLDivElement>()
  const facts = [address, t('security.lastSeen', { time: formatMinute(last_seen) })].filter(Boolean)
  return (
    <div ref={line} className={styles.line}>
      <span>
        {device || t('security.unknownDevice')}
        {current && <b className="name"> ({t('security.current')})</b>}
      </span>
      <span className="dimmed">{facts.join(t('common.comma'))}</span>
      {children}
    </div>
  )
}
