import type { User } from '#shared/api/users.ts'
import { Facts, FormSection } from '#web/components/form/form-page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** What is bound to an account: shown, not changed here. */
export function BoundAccounts({ user }: { user: User }) {
  const { t } = useTranslation()
  const shown = (value: string) =>
    value === '' ? <span className="dimmed">{t('users.notBound')}</span> : <span className="mono">{value}</span>
  return (
    <FormSection title={t('users.bound')} hint={t('users.boundHint')}>
      <Facts
        facts={[
          { label: t('users.github'), value: shown(user.github_id) },
          { label: t('users.wechat'), value: shown(user.wechat_id) },
          { label: t('users.email'), value: shown(user.email) },
        ]}
      />
    </FormSection>
  )
}
