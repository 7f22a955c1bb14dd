import { NativeSelect, TextInput } from '@mantine/core'
import { channelTypes } from '#shared/channel-types.ts'
import { useGroups } from '#web/hooks/use-groups.ts'
import { useTextOf } from '#web/hooks/use-text-of.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { channelTypeWords } from '#web/lib/messages.ts'
import styles from './channels.module.css'
import type { ChannelFilterState } from './use-channel-filter.ts'

const statuses = [1, 2, 3] as const

/** Narrows the list: by choice at once, by model with Enter or on leaving the field. */
export function ChannelFilters({ filter, change, tags }: ChannelFilterState & { tags: readonly string[] }) {
  const { t } = useTranslation()
  const groups = useGroups(filter.group ? [filter.group] : [])
  const words = t('states.channel', { returnObjects: true })
  const any = (label: string) => ({ value: '', label })
  return (
    <fieldset className={styles.filters} aria-label={t('channels.filter.label')}>
      <NativeSelect
        aria-label={t('channels.type')}
        value={filter.type ?? ''}
        onChange={(event) => change('type', event.currentTarget.value)}
        data={[
          any(t('channels.filter.allTypes')),
          ...channelTypes.map((type) => ({ value: String(type.id), label: channelTypeWords(type).label })),
        ]}
      />
      <NativeSelect
        aria-label={t('channels.status')}
        value={filter.status ?? ''}
        onChange={(event) => change('status', event.currentTarget.value)}
        data={[
          any(t('channels.filter.allStatuses')),
          ...statuses.map((status) => ({ value: String(status), label: words[status] })),
        ]}
      />
      <NativeSelect
        aria-label={t('channels.group')}
        value={filter.group ?? ''}
        onChange={(event) => change('group', event.currentTarget.value)}
        data={[any(t('channels.filter.allGroups')), ...groups.map((group) => ({ value: group, label: group }))]}
      />
      {(tags.length > 0 || filter.tag) && (
        <NativeSelect
          aria-label={t('channels.form.tags')}
          value={filter.tag ?? ''}
          onChange={(event) => change('tag', event.currentTarget.value)}
          data={[any(t('channels.filter.allTags')), ...new Set([...tags, ...(filter.tag ? [filter.tag] : [])])]}
        />
      )}
      <ModelFilter value={filter.model ?? ''} onChange={(model) => change('model', model)} />
    </fieldset>
  )
}

function ModelFilter({ value, onChange }: { value: string; onChange: (model: string) => void }) {
  const { t } = useTranslation()
  const [text, setText] = useTextOf(value)
  const apply = () => text.trim() !== value && onChange(text)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <TextInput
        aria-label={t('channels.filter.model')}
        placeholder={t('channels.filter.model')}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
    </form>
  )
}
