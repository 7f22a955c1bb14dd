import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { User } from '#shared/api/users.ts'
import { GroupBadges } from '#web/components/data/badges.tsx'
import { Facts } from '#web/components/form/form-page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'

export function Account({ self }: { self: User | undefined }) {
  const { t } = useTranslation()
  const { user } = useUser()
  const none = t('common.none')
  const facts = [
    { label: t('settings.personal.username'), value: user?.username ?? none },
    { label: t('settings.personal.displayName'), value: self?.display_name || none },
    { label: t('settings.personal.group'), value: self ? <GroupBadges groups={self.group} /> : none },
  ]
  return (
    <>
      <Facts facts={facts} />
      <Button component={Link} to="/user/edit/" mt={16}>
        {t('settings.personal.editProfile')}
      </Button>
    </>
  )
}
