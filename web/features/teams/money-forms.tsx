import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { teamsApi } from '#shared/api/teams.ts'
import { QuotaInput } from '#web/components/form/quota-input.tsx'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { fieldNumber } from '#web/lib/input/typed-number.ts'
import styles from './teams.module.css'
import { useTeamChange } from './use-team-change.ts'

/** How money comes into the wallet: by a code, or from the own balance. */
export function MoneyForms({ teamId: id }: { teamId: number }) {
  const { t } = useTranslation()
  const [key, setKey] = useState('')
  const [quota, setQuota] = useState<number | string>('')
  const topUp = useTeamChange(
    () => call(teamsApi.topUp, { id, key: key.trim() }),
    () => setKey(''),
  )
  const transfer = useTeamChange(
    () => call(teamsApi.transfer, { id, quota: fieldNumber(quota) ?? Number.NaN }),
    () => setQuota(''),
  )
  const on = (send: () => void) => (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <div className={styles.form}>
      <strong>{t('teams.topUp')}</strong>
      <form className={styles.money} onSubmit={on(() => topUp.mutate(undefined))}>
        <TextInput
          label={t('topup.code')}
          value={key}
          required
          autoComplete="off"
          maxLength={200}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Button type="submit" loading={topUp.isPending}>
          {t('topup.redeem')}
        </Button>
      </form>
      <form className={styles.money} onSubmit={on(() => transfer.mutate(undefined))}>
        <QuotaInput label={t('teams.transferAmount')} value={quota} required onChange={setQuota} />
        <Button type="submit" loading={transfer.isPending}>
          {t('teams.transfer')}
        </Button>
      </form>
    </div>
  )
}
