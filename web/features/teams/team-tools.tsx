import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type TeamWithMembers, teamsApi } from '#shared/api/teams.ts'
import { manages } from '#shared/teams.ts'
import { Popup } from '#web/components/overlay/popup.tsx'
import { call } from '#web/lib/api.ts'
import { copyText } from '#web/lib/clipboard.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { MoneyForms } from './money-forms.tsx'
import styles from './teams.module.css'
import { useTeamChange } from './use-team-change.ts'

/** What one does with a team: invite, change, and top up. */
export function TeamTools({ team }: { team: TeamWithMembers }) {
  const { t } = useTranslation()
  const isManager = team.role !== '' && manages(team.role)
  return (
    <>
      {isManager && (
        <Popup
          target={<Button>{t('teams.invite')}</Button>}
          label={t('teams.inviteTo', { name: team.name })}
          width={320}
        >
          {(close) => <InviteForm team={team} onDone={close} />}
        </Popup>
      )}
      {isManager && (
        <Button component="a" href="#team-settings">
          {t('teams.settings')}
        </Button>
      )}
      {team.role !== '' && (
        <Popup target={<Button variant="filled">{t('teams.topUp')}</Button>} label={t('teams.topUp')} width={320}>
          {() => <MoneyForms teamId={team.id} />}
        </Popup>
      )}
    </>
  )
}

/** Makes an invitation; its link is shown this once. */
function InviteForm({ team, onDone }: { team: TeamWithMembers; onDone: () => void }) {
  const { t } = useTranslation()
  const [role, setRole] = useState<'manager' | 'member'>('member')
  const [link, setLink] = useState('')
  const invite = useTeamChange(
    () => call(teamsApi.invite, { id: team.id, role }),
    (made) => setLink(new URL(made.link, window.location.origin).href),
  )
  const copy = async () => {
    if (!(await copyText(link))) return toast.warning(t('common.copyByHand'))
    toast.success(t('common.copied'))
    onDone()
  }
  const roles = team.role === 'owner' ? (['member', 'manager'] as const) : (['member'] as const)
  return (
    <div className={styles.form}>
      <strong>{t('teams.inviteTo', { name: team.name })}</strong>
      {link === '' ? (
        <>
          <NativeSelect
            label={t('teams.role')}
            description={t('teams.inviteHelp')}
            data={roles.map((value) => ({ value, label: t(`teams.roles.${value}`) }))}
            value={role}
            onChange={(event) => setRole(event.currentTarget.value as 'manager' | 'member')}
          />
          <div className={styles.buttons}>
            <Button onClick={onDone}>{t('common.cancel')}</Button>
            <Button variant="filled" loading={invite.isPending} onClick={() => invite.mutate(undefined)}>
              {t('teams.makeLink')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <TextInput
            label={t('teams.inviteLink')}
            description={t('teams.inviteLinkHelp')}
            classNames={{ input: 'mono' }}
            value={link}
            readOnly
            autoFocus
            onFocus={(event) => event.currentTarget.select()}
          />
          <div className={styles.buttons}>
            <Button variant="filled" onClick={() => void copy()}>
              {t('teams.copyLink')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
