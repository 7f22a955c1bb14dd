import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { authApi } from '#shared/api/auth.ts'
import type { OwnerProof } from '#shared/api/proof.ts'
import type { User } from '#shared/api/users.ts'
import { ProofInput, useProof } from '#web/components/identity/proof-input.tsx'
import { WechatModal } from '#web/components/identity/wechat-modal.tsx'
import styles from '#web/features/settings/settings.module.css'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { openGithub } from '#web/lib/identity/github.ts'
import { openOidc } from '#web/lib/identity/oidc.ts'
import { toast } from '#web/lib/toast.tsx'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { useStatus } from '#web/state/status.tsx'
import { BindEmail } from './bind-email.tsx'
import { ProofForm } from './proof-form.tsx'

type Service = 'github' | 'oidc'

const verbs = {
  github: 'settings.personal.bindGithub',
  oidc: 'settings.personal.bindOidc',
} as const

/** Accounts elsewhere and the address of the mailbox. */
export function Bindings({ self }: { self: User | undefined }) {
  const { t } = useTranslation()
  const status = useStatus()
  const queries = useQueryClient()
  const [proving, setProving] = useState<Service | null>(null)
  const [typed, setTyped] = useState('')
  const proofOf = useProof()
  const [scanning, modal] = useDisclosure(false)
  const [addressing, address] = useDisclosure(false)
  const toggle = (service: Service) => setProving((now) => (now === service ? null : service))
  const services: Readonly<Record<Service, (given: OwnerProof) => Promise<void>>> = {
    github: (given) => openGithub(status, given),
    oidc: openOidc,
  }
  const bind = async (service: Service, given: OwnerProof) => {
    await services[service](given)
    setProving(null)
  }
  const again = () => queries.invalidateQueries({ queryKey: selfQuery.queryKey })
  const bindWechat = async (code: string) => {
    await call(authApi.wechatBindProven, { ...proofOf(typed), code })
    setTyped('')
    modal.close()
    toast.success(t('settings.personal.wechatDone'))
    await again()
  }
  const emailBound = () => {
    address.close()
    toast.success(t('settings.personal.emailDone'))
    return again()
  }
  return (
    <div className={styles.bindings}>
      <Binding label={t('settings.personal.wechat')} bound={self?.wechat_id}>
        {status.wechat_login && <Button onClick={modal.open}>{t('settings.personal.bindWechat')}</Button>}
      </Binding>
      <Binding label={t('settings.personal.github')} bound={self?.github_id}>
        {status.github_oauth && (
          <Button aria-expanded={proving === 'github'} onClick={() => toggle('github')}>
            {t('settings.personal.bindGithub')}
          </Button>
        )}
      </Binding>
      {(status.oidc_login || self?.oidc_id) && (
        <Binding label={status.oidc_name} bound={self?.oidc_id}>
          {status.oidc_login && (
            <Button aria-expanded={proving === 'oidc'} onClick={() => toggle('oidc')}>
              {t('settings.personal.bindOidc')}
            </Button>
          )}
        </Binding>
      )}
      {proving && <ProofForm key={proving} submit={t(verbs[proving])} onProof={(given) => bind(proving, given)} />}
      <Binding label={t('settings.personal.email')} bound={self?.email}>
        <Button aria-expanded={addressing} onClick={address.toggle}>
          {t(self?.email ? 'settings.personal.changeEmail' : 'settings.personal.bindEmail')}
        </Button>
      </Binding>
      {addressing && <BindEmail replaces={Boolean(self?.email)} onBound={emailBound} />}
      <WechatModal
        opened={scanning}
        onClose={modal.close}
        title={t('settings.personal.bindWechat')}
        submit={t('settings.personal.bind')}
        onCode={bindWechat}
      >
        <ProofInput value={typed} onChange={setTyped} />
      </WechatModal>
    </div>
  )
}

/** `bound` is empty where there is no account, and missing until it is known. */
function Binding({ label, bound, children }: { label: string; bound: string | undefined; children: ReactNode }) {
  const { t } = useTranslation()
  const shown = bound === undefined ? t('common.none') : bound || t('settings.personal.notBound')
  return (
    <div className={styles.binding}>
      <span className={styles.bindingLabel}>{label}</span>
      <span className={bound ? styles.bound : 'dimmed'}>{shown}</span>
      {children}
    </div>
  )
}
