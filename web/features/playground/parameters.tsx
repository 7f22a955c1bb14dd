import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { formatQuota } from '#shared/quota.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './playground.module.css'
import type { SetUp } from './set-up.ts'
import type { Turn } from './use-conversation.ts'

interface Props {
  setUp: SetUp
  onChange: (change: Partial<SetUp>) => void
  turns: readonly Turn[]
}

const efforts = ['', 'low', 'medium', 'high'] as const

/** What holds for all columns, and what the conversation has cost. */
export function Parameters({ setUp, onChange, turns }: Props) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const spent = turns.flatMap(({ answers }) => Object.values(answers)).reduce((sum, { cost = 0 }) => sum + cost, 0)
  const number = (name: 'temperature' | 'max_tokens' | 'top_p') => (
    <TextInput
      label={t(`playground.${name}`)}
      inputMode="decimal"
      placeholder={t('playground.default')}
      value={setUp[name]}
      error={setUp[name].trim() !== '' && !Number.isFinite(Number(setUp[name])) && t('playground.notNumber')}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      className={styles.parameter}
    />
  )
  return (
    <aside className={styles.parameters} aria-label={t('playground.parameters')}>
      <h2 className={styles.heading}>{t('playground.parameters')}</h2>
      <Textarea
        label={t('playground.system')}
        rows={5}
        resize="vertical"
        value={setUp.system}
        onChange={(event) => onChange({ system: event.currentTarget.value })}
      />
      {number('temperature')}
      {number('max_tokens')}
      {number('top_p')}
      <NativeSelect
        label={t('playground.reasoning')}
        value={setUp.reasoning}
        onChange={(event) => onChange({ reasoning: event.currentTarget.value })}
        data={efforts.map((value) => ({ value, label: t(`playground.efforts.${value || 'default'}`) }))}
        className={styles.parameter}
      />
      <Checkbox
        label={t('playground.stream')}
        checked={setUp.stream}
        onChange={(event) => onChange({ stream: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('playground.json')}
        checked={setUp.json}
        onChange={(event) => onChange({ json: event.currentTarget.checked })}
      />
      <dl className={styles.facts}>
        <div>
          <dt>{t('playground.session')}</dt>
          <dd>{formatQuota(spent, display)}</dd>
        </div>
      </dl>
    </aside>
  )
}
