import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { teamsApi } from '#shared/api/teams.ts'
import { call } from '#web/lib/api.ts'
import { formatTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { teamInvitesQuery } from '#web/state/queries/team-queries.ts'
import styles from './teams.module.css'
import { useTeamChange } from './use-team-change.ts'

interface Props {
  teamId: number
  mayInviteManagers: boolean
}

/** Open invitations, and the link of the one just made: it is shown this once. */
export function InvitesSection({ teamId: id, mayInviteManagers }: Props) {
  const { t } = useTranslation()
  const { data: invites = [] } = useQuery(teamInvitesQuery(id))
  const [link, setLink] = useState('')
  const invite = useTeamChange(
    (role: 'manager' | 'member') => call(teamsApi.invite, { id, role }),
    (made) => setLink(new URL(made.link, window.location.origin).href),
  )
  const end = useTeamChange((code_id: number) => call(teamsApi.endInvite, { id, code_id }))
  return (
    <>
      <ul className={styles.rows}>
        {invites.map((one) => (
          <li key={one.id} className={styles.row}>
            <span>{t('teams.invited')}</span>
            <span>{t(`teams.roles.${one.role}`)}</span>
            <span className="dimmed">{t('teams.linkUntil', { time: formatTime(one.expires_at) })}</span>
            <span>
              <Button onClick={() => end.mutate(one.id)}>{t('teams.endInvite')}</Button>
            </span>
          </li>
        ))}
      </ul>
      <div className={styles.money}>
        <Button onClick={() => invite.mutate('member')}>{t('teams.inviteMember')}</Button>
        {mayInviteManagers && <Button onClick={() => invite.mutate('manager')}>{t('teams.inviteManager')}</Button>}
        {link !== '' && (
          <TextInput
            label={t('teams.inviteLink')}
            description={t('teams.inviteLinkHelp')}
            classNames={{ input: 'mono' }}
            value={link}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </div>
    </>
  )
}
