import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { SyncRow } from '#shared/api/prices.ts'
import { pageSizeDefault } from '#shared/pagination.ts'
import { formatQuota } from '#shared/quota.ts'
import { SaveBar } from '#web/components/form/form-page.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { TickBox } from '#web/components/table/tick-box.tsx'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './prices.module.css'
import { syncColumns } from './sync-columns.tsx'
import { becomesFree, effectOf, kindOf, type SyncKind, syncKinds } from './sync-row.ts'

interface Props {
  rows: readonly SyncRow[]
  applying: boolean
  onApply: (models: string[]) => void
}

/** What a person set here, what would delete a price, and what would cost nothing is for a person to choose. */
const chosenAtFirst = (row: SyncRow): boolean =>
  !becomesFree(row) && (row.change === 'new' || (row.change === 'changed' && !row.own))

const revenue = (rows: readonly SyncRow[]): number => rows.reduce((sum, { traffic }) => sum + (traffic?.quota ?? 0), 0)

/** The differences by kind, each with a tick, and what the chosen ones would have meant. */
export function SyncDifferences({ rows, applying, onApply }: Props) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  const navigate = useNavigate()
  const state = useTableState()
  const [kind, setKind] = useState<SyncKind | 'all'>('all')
  const [onlyUsed, setOnlyUsed] = useState(false)
  const [chosen, setChosen] = useState(() => new Set(rows.filter(chosenAtFirst).map(({ model }) => model)))
  const differing = rows.filter(({ change }) => change !== 'same')
  const shown = differing.filter(
    (row) => (kind === 'all' || kindOf(row) === kind) && (!onlyUsed || row.used || row.traffic !== null),
  )
  const start = (state.page - 1) * pageSizeDefault
  const set = (models: readonly string[], on: boolean) =>
    setChosen((before) => {
      const next = new Set(before)
      for (const model of models) on ? next.add(model) : next.delete(model)
      return next
    })
  const ticked = shown.filter(({ model }) => chosen.has(model)).length
  const effect = differing.reduce((sum, row) => sum + (chosen.has(row.model) ? (effectOf(row) ?? 0) : 0), 0)
  const money = (quota: number) => formatQuota(Math.round(quota), display)
  const show = (next: SyncKind | 'all') => {
    setKind(next)
    state.setPage(1)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.size > 0) onApply([...chosen])
      }}
    >
      <div className={styles.kinds}>
        {(['all', ...syncKinds] as const).map((name) => (
          <button
            key={name}
            type="button"
            className={styles.kind}
            aria-pressed={name === kind}
            onClick={() => show(name)}
          >
            {t(name === 'all' ? 'prices.allKinds' : `prices.kinds.${name}`)}{' '}
            {name === 'all' ? differing.length : differing.filter((row) => kindOf(row) === name).length}
          </button>
        ))}
        <Checkbox
          label={t('prices.onlyUsed')}
          checked={onlyUsed}
          onChange={(event) => {
            setOnlyUsed(event.currentTarget.checked)
            state.setPage(1)
          }}
        />
      </div>
      <DataTable
        label={t('prices.sync')}
        columns={syncColumns(t, {
          chosen,
          toggle: (model) => set([model], !chosen.has(model)),
          display,
          all: (
            <TickBox
              label={t('prices.chooseAll')}
              checked={ticked > 0 && ticked === shown.length}
              mixed={ticked > 0 && ticked < shown.length}
              onToggle={() =>
                set(
                  shown.map(({ model }) => model),
                  ticked < shown.length,
                )
              }
            />
          ),
        })}
        rows={shown.slice(start, start + pageSizeDefault)}
        rowId={({ model }) => model}
        loading={false}
        state={state}
        empty={<EmptyState title={t('prices.noDifference')} />}
      />
      <ListFoot page={state.page} total={shown.length} onPage={state.setPage} />
      {differing.length > 0 && (
        <SaveBar
          wide
          message={
            <>
              {t('prices.chosen', { count: chosen.size, total: differing.length })}{' '}
              {Math.round(effect) !== 0 && (
                <>
                  {t('prices.wouldBring')} {money(revenue(differing))} → <b>{money(revenue(differing) + effect)}</b>.
                </>
              )}
            </>
          }
          submit={t('prices.apply', { count: chosen.size })}
          saving={applying}
          secondary={{ label: t('common.cancel'), run: () => void navigate('/price') }}
        />
      )}
    </form>
  )
}
