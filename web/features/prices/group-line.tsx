import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { optionsQuery } from '#web/state/queries/option-queries.ts'
import { groupColor } from '#web/theme/meaning.ts'
import styles from './prices.module.css'

function ratiosIn(text: string | undefined): [string, number][] {
  try {
    return Object.entries(JSON.parse(text ?? '{}') as Record<string, number>)
  } catch {
    return []
  }
}

/** What the prices are in, and what each group multiplies them by. */
export function GroupLine() {
  const { t } = useTranslation()
  const { data } = useQuery({ ...optionsQuery, meta: ownReport })
  const ratios = ratiosIn(data?.GroupRatio)
  return (
    <p className={styles.groups}>
      <span>{t(ratios.length > 0 ? 'prices.unit' : 'prices.unitAlone')}</span>
      {ratios.map(([group, ratio]) => (
        <span key={group}>
          <Badge color={groupColor(group)}>{group}</Badge> × {ratio.toFixed(2)}
        </span>
      ))}
      <Link to="/setting?tab=operations">{t('prices.editGroups')}</Link>
    </p>
  )
}
