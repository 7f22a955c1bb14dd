import { NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { FieldPair } from '#web/components/form/form-page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { selfQuery } from '#web/state/queries/self-queries.ts'
import { ownTeamsQuery } from '#web/state/queries/team-queries.ts'
import type { TokenValues } from './token-values.ts'

interface Props {
  readonly form: UseFormReturnType<TokenValues>
  /** Whose token it is; undefined for a new one. */
  readonly owner: number | undefined
}

/** Whose balance a token spends, which its owner alone decides, and which of the own groups it uses. */
export function WalletFields({ form, owner }: Props) {
  const { t } = useTranslation()
  const { data: teams = [] } = useQuery(ownTeamsQuery)
  const { data: self } = useQuery(selfQuery)
  const { team_id, group } = form.values
  const wallets = [
    { value: '0', label: t('shell.personal') },
    ...teams.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  if (!wallets.some(({ value }) => value === String(team_id)))
    wallets.push({ value: String(team_id), label: `#${team_id}` })
  const groups = [...new Set([...(self?.group || 'default').split(','), group].filter(Boolean))]
  return (
    <FieldPair>
      <NativeSelect
        label={t('tokens.wallet')}
        description={t('tokens.walletHelp')}
        data={wallets}
        disabled={owner !== undefined && owner !== self?.id}
        value={String(team_id)}
        error={form.errors.team_id}
        onChange={(event) => form.setFieldValue('team_id', Number(event.currentTarget.value))}
      />
      <NativeSelect
        label={t('tokens.group')}
        description={t('tokens.groupHelp')}
        data={[{ value: '', label: t('tokens.allGroups') }, ...groups.map((value) => ({ value, label: value }))]}
        {...form.getInputProps('group')}
      />
    </FieldPair>
  )
}
