import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatQuota } from '#shared/quota.ts'
import { GroupBadges } from '#web/components/data/badges.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { faultMessage } from '#web/lib/messages.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './playground.module.css'
import { type AskParameters, isWrongNumber, type NumberKnob, parametersOf, type SetUp, withOwn } from './set-up.ts'
import type { Turn } from './use-conversation.ts'
import type { useRunningCost } from './use-running-cost.ts'

export interface ParametersProps {
  setUp: SetUp
  onChange: (change: Partial<SetUp>) => void
  turns: readonly Turn[]
  prices: ReturnType<typeof useRunningCost>['prices']
}

const efforts = ['', 'low', 'medium', 'high'] as const

/** What is asked with, beside the answers. */
export function Parameters(props: ParametersProps) {
  const { t } = useTranslation()
  return (
    <aside className={styles.parameters} aria-label={t('playground.parameters')}>
      <ParameterFields {...props} />
    </aside>
  )
}

/** What holds for all columns or for one, and what the conversation has cost. */
export function ParameterFields({ setUp, onChange, turns, prices }: ParametersProps) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const { models } = setUp
  const differing = Object.keys(setUp.own).filter((model) => models.includes(model))
  const [picked, setPicked] = useState('')
  /** The one column that is set here; '' for all. */
  const column = models.length > 1 && models.includes(picked) ? picked : ''
  const spent = turns.flatMap(({ answers }) => Object.values(answers)).reduce((sum, { cost = 0 }) => sum + cost, 0)
  const forAll = t('playground.forAll', { count: models.length })
  return (
    <>
      {column === '' && differing.length === 0 ? (
        <h2 className={styles.heading}>{forAll}</h2>
      ) : (
        <NativeSelect
          aria-label={t('playground.forWhich')}
          value={column}
          onChange={(event) => setPicked(event.currentTarget.value)}
          data={[{ value: '', label: forAll }, ...models.map((model) => ({ value: model, label: model }))]}
        />
      )}
      <Fields
        values={column === '' ? setUp : parametersOf(setUp, column)}
        onChange={(change) => onChange(column === '' ? change : { own: withOwn(setUp, column, change) })}
      />
      {models.length > 1 && column === '' && (
        <button type="button" className={styles.link} onClick={() => setPicked(models.at(-1) ?? '')}>
          {t('playground.different')}
        </button>
      )}
      {column !== '' && (
        <button
          type="button"
          className={styles.link}
          onClick={() => {
            onChange({ own: { ...setUp.own, [column]: {} } })
            setPicked('')
          }}
        >
          {t('playground.sameAsAll')}
        </button>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{t('playground.session')}</dt>
          <dd>{formatQuota(spent, display)}</dd>
        </div>
        {prices && (
          <div>
            <dt>{t('playground.prices')}</dt>
            <dd className={styles.groups}>
              <GroupBadges groups={prices.groups} /> × {prices.ratio}
            </dd>
          </div>
        )}
      </dl>
    </>
  )
}

interface FieldsProps {
  values: AskParameters
  onChange: (change: Partial<AskParameters>) => void
}

function Fields({ values, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const number = (name: NumberKnob) => (
    <TextInput
      label={t(`playground.${name}`)}
      inputMode="decimal"
      placeholder={t('playground.default')}
      value={values[name]}
      error={
        isWrongNumber(name, values[name]) && faultMessage(name === 'max_tokens' ? 'number.whole' : 'number.negative')
      }
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      className={styles.parameter}
    />
  )
  return (
    <>
      <Textarea
        label={t('playground.system')}
        rows={5}
        resize="vertical"
        value={values.system}
        onChange={(event) => onChange({ system: event.currentTarget.value })}
      />
      {number('temperature')}
      {number('max_tokens')}
      {number('top_p')}
      <NativeSelect
        label={t('playground.reasoning')}
        value={values.reasoning}
        onChange={(event) => onChange({ reasoning: event.currentTarget.value })}
        data={efforts.map((value) => ({ value, label: t(`playground.efforts.${value || 'default'}`) }))}
        className={styles.parameter}
      />
      <Checkbox
        label={t('playground.stream')}
        checked={values.stream}
        onChange={(event) => onChange({ stream: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('playground.json')}
        checked={values.json}
        onChange={(event) => onChange({ json: event.currentTarget.checked })}
      />
    </>
  )
}
