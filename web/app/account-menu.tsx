import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { cutUsername } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { showFirstSteps } from '#web/state/first-steps.ts'
import { useUser } from '#web/state/session.tsx'
import styles from './shell.module.css'
import { useSignOut } from './use-sign-out.ts'

export function AccountMenu() {
  const { t } = useTranslation()
  const { user, isAdmin } = useUser()
  const signOut = useSignOut()
  const navigate = useNavigate()
  if (!user)
    return (
      <Link to="/login" className={styles.login}>
        {t('pages.login')}
      </Link>
    )
  const firstSteps = () => {
    showFirstSteps()
    void navigate('/')
  }
  return (
    <ActionMenu
      entries={[
        { label: t('pages.profile'), run: () => void navigate('/user/edit') },
        ...(isAdmin ? [{ label: t('shell.firstSteps'), run: firstSteps }] : []),
        { label: t('shell.welcome'), run: () => void navigate('/welcome') },
        { label: t('shell.signOut'), run: signOut },
      ]}
      target={
        <UnstyledButton className={styles.account} title={user.username}>
          {cutUsername(user.username)}
          <IconChevronDown size={16} stroke={1.6} aria-hidden />
        </UnstyledButton>
      }
    />
  )
}
