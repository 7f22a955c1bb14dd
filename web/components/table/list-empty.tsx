import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyPage } from '#web/components/page/empty-page.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import type { List } from '#web/hooks/use-list.ts'
import type { TableState } from '#web/hooks/use-table-state.ts'
import { useTranslation } from '#web/lib/i18n.ts'

interface Props {
  state: Pick<TableState, 'keyword' | 'setPage' | 'clearSearch'>
  /** Its total is of all pages; a page past the last row is empty while others are not. */
  list: Pick<List<never, never>, 'total' | 'failed' | 'refresh'>
  /** What is missing when there is nothing at all, and what to do about it. */
  title: string
  hint: string
  add?: { label: string; to: string } | false
  /** Given while a filter is set. */
  clearFilter?: (() => void) | false
}

/** Why a list shows no row, and the way out. */
export function ListEmpty({ state, list, title, hint, add, clearFilter }: Props) {
  const { t } = useTranslation()
  if (list.failed) return <CannotLoad onRetry={list.refresh} />
  if (list.total > 0) return <EmptyPage onFirst={() => state.setPage(1)} />
  if (state.keyword)
    return (
      <EmptyState title={t('table.noHit', { keyword: state.keyword })}>
        <Button onClick={state.clearSearch}>{t('table.clearSearch')}</Button>
      </EmptyState>
    )
  if (clearFilter)
    return (
      <EmptyState title={t('table.noFit')}>
        <Button onClick={clearFilter}>{t('table.clearFilter')}</Button>
      </EmptyState>
    )
  return (
    <EmptyState title={title} hint={hint}>
      {add && (
        <Button component={Link} to={add.to}>
          {add.label}
        </Button>
      )}
    </EmptyState>
  )
}
