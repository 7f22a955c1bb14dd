import { PasswordInput, TextInput } from '@mantine/core'
import { FieldPair } from '#web/components/form/form-page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AccountValues } from './user-values.ts'

interface Props {
  field: (name: keyof AccountValues) => object
  creating?: boolean
}

/** Name and password of an account. */
export function AccountFields({ field, creating = false }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <FieldPair>
        <TextInput
          label={t('users.username')}
          description={t('auth.usernameHint')}
          required
          autoComplete="off"
          {...field('username')}
        />
        <TextInput label={t('users.displayName')} autoComplete="off" {...field('display_name')} />
      </FieldPair>
      <PasswordInput
        label={t(creating ? 'users.password' : 'users.newPassword')}
        description={t(creating ? 'users.passwordHint' : 'users.passwordKeep')}
        required={creating}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
        {...field('password')}
      />
    </>
  )
}
