import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { accountApi } from '#shared/api/account.ts'
import type { User } from '#shared/api/users.ts'
import { GroupBadges } from '#web/components/data/badges.tsx'
import { Money } from '#web/components/data/money.tsx'
import { Facts, FormPage, FormSection, SaveBar } from '#web/components/form/form-page.tsx'
import { Loaded } from '#web/components/page/loaded.tsx'
import { useSave } from '#web/hooks/use-save.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { validateWith } from '#web/lib/zod-form.ts'
import { profileQuery } from '#web/state/queries/self-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { AccountFields } from './account-fields.tsx'
import { BoundAccounts } from './bound-accounts.tsx'
import { type AccountValues, accountOf } from './user-values.ts'

const home = '/setting'

/** Who was sent here to change the first password goes on from here, not to the settings. */
function useWayBack(): string {
  const state: unknown = useLocation().state
  const { thenTo } = { thenTo: home, ...(typeof state === 'object' ? state : {}) }
  return thenTo
}

/** The own account; group and quota are shown to administrators, and changed by nobody for himself. */
export function ProfilePage() {
  const { t } = useTranslation()
  const query = useQuery(profileQuery)
  return (
    <Loaded query={query} title={t('pages.profile')} crumb={{ label: t('pages.settings'), to: home }}>
      {(user) => <ProfileForm user={user} />}
    </Loaded>
  )
}

function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const session = useUser()
  const back = useWayBack()
  const form = useForm({ initialValues: accountOf(user), validate: validateWith(accountApi.update.input) })
  const save = useSave({
    name: 'self',
    send: (values: AccountValues) => call(accountApi.update, values),
    done: t('users.profileToast'),
    back,
    onSaved: (_, { username, display_name }) => {
      if (session.user)
        session.signIn({ ...session.user, username: username.trim(), display_name: display_name.trim() })
    },
  })
  return (
    <FormPage
      title={t('pages.profile')}
      crumb={{ label: t('pages.settings'), to: home }}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      dirty={form.isDirty() && !save.isSuccess}
    >
      <FormSection title={t('users.account')} hint={t('users.profileHint')}>
        <AccountFields field={(name) => form.getInputProps(name)} />
      </FormSection>
      {session.isAdmin && (
        <FormSection title={t('users.rights')}>
          <Facts
            facts={[
              { label: t('users.group'), value: <GroupBadges groups={user.group} /> },
              { label: t('users.remainingQuota'), value: <Money quota={user.quota} /> },
            ]}
          />
        </FormSection>
      )}
      <BoundAccounts user={user} />
      <SaveBar
        errors={Object.keys(form.errors).length}
        submit={t('forms.save')}
        saving={save.isPending}
        secondary={{ label: t('common.cancel'), run: () => void navigate(home) }}
      />
    </FormPage>
  )
}
