import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routeNeeds } from '#shared/api/routing.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { tokenList } from '#web/state/queries/token-queries.ts'
import { userList } from '#web/state/queries/user-queries.ts'

interface WhoProps {
  /** `user:3`, `token:5`, or nothing for anybody. */
  value: string
  onChange: (who: string) => void
  autoFocus: boolean
}

const pause = 150

/** Somebody whose groups and models count: a user by name, or one of the own tokens. */
export function WhoPicker({ value, onChange, autoFocus }: WhoProps) {
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const [keyword] = useDebouncedValue(words, pause)
  const args = { page: 1, pagesize: 20, keyword: '', order: '' }
  const users = useQuery({ ...userList({ ...args, keyword }), meta: ownReport }).data?.list ?? []
  const tokens = useQuery({ ...tokenList(args), meta: ownReport }).data?.list ?? []
  const data = [
    { value: '', label: t('routing.anybody') },
    ...tokens.map(({ id, name }) => ({ value: `token:${id}`, label: t('routing.tokenNamed', { name }) })),
    ...users.map(({ id, username }) => ({ value: `user:${id}`, label: username })),
  ]
  const current = data.find((choice) => choice.value === value)?.label ?? ''
  const known = data.some((choice) => choice.value === value)
  return (
    <Select
      label={t('routing.who')}
      autoFocus={autoFocus}
      data={known ? data : [...data, { value, label: value.replace(':', ' ') }]}
      value={value}
      onChange={(who) => onChange(who ?? '')}
      onSearchChange={(typed) => setWords(typed === current ? '' : typed)}
      searchable
      allowDeselect={false}
      limit={50}
      maxDropdownHeight={320}
      comboboxProps={{ portalProps: { target: '#floating' } }}
    />
  )
}

type Need = (typeof routeNeeds)[number]

interface NeedsProps {
  value: readonly Need[]
  onChange: (needs: Need[]) => void
  autoFocus: boolean
}

/** What the request needs of the model. */
export function NeedsPicker({ value, onChange, autoFocus }: NeedsProps) {
  const { t } = useTranslation()
  return (
    <MultiSelect
      label={t('routing.needs')}
      autoFocus={autoFocus}
      placeholder={value.length === 0 ? t('routing.nothingSpecial') : ''}
      data={routeNeeds.map((need) => ({ value: need, label: t(`models.words.${need}`) }))}
      value={[...value]}
      onChange={(chosen) => onChange(routeNeeds.filter((need) => chosen.includes(need)))}
      comboboxProps={{ portalProps: { target: '#floating' } }}
    />
  )
}
