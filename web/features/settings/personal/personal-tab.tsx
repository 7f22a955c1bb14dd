import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { SectionFrame } from '#web/features/settings/section-frame.tsx'
import { Security } from '#web/features/settings/security/security.tsx'
import { Sessions } from '#web/features/settings/security/sessions.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { AccessToken } from './access-token.tsx'
import { Account } from './account.tsx'
import { Bindings } from './bindings.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { InviteLink } from './invite-link.tsx'

/** Everyone's own settings. */
export function PersonalTab() {
  const { t } = useTranslation()
  const { data: self, isLoadingError, refetch } = useQuery(selfQuery)
  const bindings = isLoadingError ? <CannotLoad onRetry={refetch} /> : <Bindings self={self} />
  const contents: Array<
    [name: 'account' | 'security' | 'sessions' | 'token' | 'invite' | 'bindings' | 'danger', content: ReactNode]
  > = [
    ['account', <Account key="account" self={self} />],
    ['security', <Security key="security" />],
    ['sessions', <Sessions key="sessions" />],
    ['token', <AccessToken key="token" />],
    ['invite', <InviteLink key="invite" />],
    ['bindings', bindings],
    ['danger', <DeleteAccount key="danger" />],
  ]
  const sections = contents.map(([name, content]) => ({
    id: name,
    title: t(`settings.groups.${name}.title`),
    hint: t(`settings.groups.${name}.hint`),
    content,
  }))
  return <SectionFrame sections={sections} />
}
