import { Button, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { channelsApi } from '#shared/api/channels.ts'
import { channelTypeOf, channelTypes } from '#shared/channel-types.ts'
import { useChannelModels } from '#web/hooks/use-channel-models.ts'
import { call } from '#web/lib/api.ts'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelTypeWords } from '#web/lib/messages.ts'
import { toast } from '#web/lib/toast.tsx'
import { firstStepsQuery } from '#web/state/queries/site-queries.ts'
import styles from './first-steps.module.css'

const shownMax = 3

/** A name to begin with: the provider's own. */
const nameOf = (type: number): string => (channelTypeOf(type)?.label ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** The fields a first channel needs; it is added with the models of its type and tested at once. */
export function ChannelStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { ofType } = useChannelModels()
  const [type, setType] = useState(1)
  const [typed, setName] = useState<string | null>(null)
  const [key, setKey] = useState('')
  const [base, setBase] = useState('')
  const name = typed ?? nameOf(type)
  const models = ofType(type)
  const needsAddress = channelTypeOf(type)?.baseUrl === ''
  const isCustom = needsAddress && channelTypeOf(type)?.other === null
  const modelsToAdd = async () => {
    if (!isCustom) return models
    const offered = (await call(channelsApi.fetchModelsOf, { type, key, base_url: base })).models
    if (offered.length === 0) throw new Error(t('steps.channel.noModels'))
    return offered
  }
  const adding = useMutation({
    mutationFn: async () => {
      const names = (await modelsToAdd()).join(',')
      await call(channelsApi.create, { type, name, key, base_url: base, models: names })
      return (await call(channelsApi.list, { pagesize: 1 })).list[0]
    },
  })
  const testing = useMutation({
    mutationFn: (id: number) => call(channelsApi.test, { id }),
    onSuccess: ({ time }) => toast.success(t('channels.tested', { name, time: formatSeconds(time * 1000) })),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: firstStepsQuery.queryKey })
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    adding.mutate(undefined, { onSuccess: (made) => made && testing.mutate(made.id) })
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <NativeSelect
        label={t('channels.type')}
        value={type}
        onChange={(event) => setType(Number(event.currentTarget.value))}
        data={channelTypes.map((each) => ({ value: String(each.id), label: channelTypeWords(each).label }))}
      />
      <TextInput
        label={t('channels.name')}
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        className={styles.wide}
        label={t('channels.form.key')}
        description={t('channels.form.keySealed')}
        required
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <TextInput
        className={styles.wide}
        label={t('channels.form.baseUrl')}
        description={t(needsAddress ? 'channels.form.baseUrlNeeded' : 'channels.form.baseUrlHelp')}
        required={needsAddress}
        inputMode="url"
        value={base}
        onChange={(event) => setBase(event.currentTarget.value)}
      />
      {isCustom && <p className={styles.models}>{t('steps.channel.fetched')}</p>}
      {!isCustom && models.length > 0 && (
        <p className={styles.models}>
          <span className={styles.label}>{t('channels.form.models')}</span>
          <span className="mono">{models.slice(0, shownMax).join(t('common.comma'))}</span>
          {models.length > shownMax && ` ${t('steps.channel.more', { count: models.length - shownMax })}`}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" variant="filled" loading={adding.isPending || testing.isPending}>
          {t('steps.channel.go')}
        </Button>
        <Link to="/channel/add">{t('steps.allFields')}</Link>
      </div>
    </form>
  )
}
