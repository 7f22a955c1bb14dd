import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { tokensApi } from '#shared/api/tokens.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { firstStepsQuery } from '#web/state/queries/site-queries.ts'
import styles from './first-steps.module.css'

/** A key for the operator's own programs, without a limit of its own. */
export function TokenStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [name, setName] = useState('first')
  const making = useMutation({
    mutationFn: () => call(tokensApi.create, { name, unlimited_quota: true }),
    onSuccess: async () => {
      toast.success(t('tokens.createdToast'))
      await queries.invalidateQueries({ queryKey: firstStepsQuery.queryKey })
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    making.mutate()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextInput
        className={styles.wide}
        label={t('tokens.name')}
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button type="submit" variant="filled" loading={making.isPending}>
          {t('steps.token.go')}
        </Button>
      </div>
    </form>
  )
}
