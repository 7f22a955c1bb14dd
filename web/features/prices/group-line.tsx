import { Badge } from '@mantine/core'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { useGroupRatios } from '#web/state/queries/option-queries.ts'
import { groupColor } from '#web/theme/meaning.ts'
import styles from './prices.module.css'

/** What the prices are in, and what each group multiplies them by. */
export function GroupLine() {
  const { t } = useTranslation()
  const ratios = [...useGroupRatios()]
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
