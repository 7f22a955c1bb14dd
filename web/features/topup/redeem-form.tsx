import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accountApi } from '#shared/api/account.ts'
import { formatQuota } from '#shared/quota.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { ownReport, reportFailure } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { useQuotaDisplay, useStatus } from '#web/state/status.tsx'
import styles from './topup.module.css'

export function RedeemForm() {
  const { t } = useTranslation()
  const { top_up_link } = useStatus()
  const display = useQuotaDisplay()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const redeem = useMutation({
    mutationFn: (key: string) => call(accountApi.topUp, { key }),
    meta: ownReport,
    onSuccess: (added) => {
      setCode('')
      toast.success(t('topup.done', { amount: formatQuota(added, display) }))
      return queries.invalidateQueries({ queryKey: selfQuery.queryKey })
    },
    onError: (error) => (error instanceof ApiError ? reportFailure(error) : toast.error(t('topup.failed'))),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const key = code.trim()
    if (key === '') toast.warning(t('topup.empty'))
    else redeem.mutate(key)
  }
  const openShop = () => {
    if (top_up_link === '') toast.error(t('topup.noLink'))
    else window.open(top_up_link, '_blank', 'noopener')
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        label={t('topup.code')}
        description={t('topup.codeHelp')}
        classNames={{ input: 'mono' }}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="filled" loading={redeem.isPending}>
          {t('topup.redeem')}
        </Button>
        <Button onClick={openShop}>{t('topup.getCode')}</Button>
      </div>
    </form>
  )
}
