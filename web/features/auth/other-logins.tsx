import { Button, Divider } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBrandGithub, IconKey, IconLogin2, IconMessage2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { authApi } from '#shared/api/auth.ts'
import { identityApi } from '#shared/api/identity.ts'
import { WechatModal } from '#web/components/identity/wechat-modal.tsx'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { openGithub } from '#web/lib/identity/github.ts'
import { openOidc } from '#web/lib/identity/oidc.ts'
import { passkeyFailure } from '#web/lib/identity/passkey-failure.ts'
import { signWithPasskey, supportsPasskeys } from '#web/lib/identity/passkeys.ts'
import { toast } from '#web/lib/toast.tsx'
import { useUser } from '#web/state/session.tsx'
import { useStatus } from '#web/state/status.tsx'
import styles from './auth.module.css'
import { useEnter } from './use-enter.ts'

/** The login methods beside the password that the operator has switched on. */
export function OtherLogins() {
  const { t } = useTranslation()
  const status = useStatus()
  const { signIn } = useUser()
  const navigate = useNavigate()
  const [scanning, modal] = useDisclosure(false)
  const github = useMutation({ mutationFn: () => openGithub(status) })
  const enterWith = async (code: string) => {
    signIn(await call(authApi.wechat, { code }))
    toast.success(t('auth.loginDone'))
    await navigate('/', { replace: true })
  }
  const oidc = useMutation({ mutationFn: () => openOidc() })
  const enter = useEnter('/token')
  const passkey = useMutation({
    mutationFn: async () => {
      const assertion = await signWithPasskey(await call(identityApi.passkeyLoginOptions))
      return call(identityApi.passkeyLogin, { assertion })
    },
    onSuccess: enter,
    ...passkeyFailure,
  })
  const withPasskey = status.passkey_login && supportsPasskeys()
  if (!status.github_oauth && !status.wechat_login && !status.oidc_login && !withPasskey) return null
  return (
    <div className={styles.fields}>
      {status.password_login && <Divider label={t('auth.or')} />}
      {withPasskey && (
        <Button
          leftSection={<IconKey size={16} stroke={1.6} aria-hidden />}
          loading={passkey.isPending}
          onClick={() => passkey.mutate()}
        >
          {t('auth.withPasskey')}
        </Button>
      )}
      {status.oidc_login && (
        <Button
          leftSection={<IconLogin2 size={16} stroke={1.6} aria-hidden />}
          loading={oidc.isPending}
          onClick={() => oidc.mutate()}
        >
          {t('auth.withOidc', { name: status.oidc_name })}
        </Button>
      )}
      {status.github_oauth && (
        <Button
          leftSection={<IconBrandGithub size={16} stroke={1.6} aria-hidden />}
          loading={github.isPending}
          onClick={() => github.mutate()}
        >
          {t('auth.withGithub')}
        </Button>
      )}
      {status.wechat_login && (
        <Button leftSection={<IconMessage2 size={16} stroke={1.6} aria-hidden />} onClick={modal.open}>
          {t('auth.withWechat')}
        </Button>
      )}
      <WechatModal
        opened={scanning}
        onClose={modal.close}
        title={t('auth.wechatTitle')}
        submit={t('auth.logIn')}
        onCode={enterWith}
      />
    </div>
  )
}
