import { type ComponentProps, lazy, Suspense } from 'react'
import { usePhone } from '#web/hooks/screen/use-phone.ts'
import type { Selection } from '#web/hooks/use-selection.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { BulkVerb } from './bulk-bar.tsx'
import { ListFoot } from './list-foot.tsx'

const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }))

interface Props extends ComponentProps<typeof ListFoot> {
  selection: Selection
  everyId: () => Promise<readonly number[]>
  verbs: readonly BulkVerb[]
}

/** The foot of a list whose rows can be ticked: with the first tick it says what can be done to them. */
export function SelectableFoot({ selection, everyId, verbs, others = [], ...foot }: Props) {
  const { t } = useTranslation()
  const phone = usePhone()
  const select = { label: t('table.bulk.select'), run: selection.pick }
  const plain = <ListFoot {...foot} others={phone && foot.total > 0 ? [...others, select] : others} />
  if (!(phone ? selection.picking : selection.ids.size > 0)) return plain
  return (
    <Suspense fallback={plain}>
      <BulkBar selection={selection} total={foot.total} everyId={everyId} verbs={verbs} />
    </Suspense>
  )
}
