import { useQuery } from '@tanstack/react-query'
import type { ExplainedRoute } from '#shared/api/routing.ts'
import { reasonOf } from '#shared/routing-reasons.ts'
import { formatUsd } from '#shared/usd.ts'
import { ownReport } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { tokenQuery } from '#web/state/queries/token-queries.ts'
import styles from './routing.module.css'

interface Props {
  model: string
  who: string
  route: ExplainedRoute
}

/** The gates every request passes before a channel is chosen; a closed one ends the lit track. */
export function Trunk({ model, who, route }: Props) {
  const { t } = useTranslation()
  const refused = isRefused(route)
  const { price, group_ratio: ratio } = route
  const amount = (usd: number | null) => formatUsd(usd === null ? null : Number((usd * ratio).toFixed(6)))
  return (
    <div className={styles.trunk}>
      <span className={styles.door}>POST /v1/chat/completions</span>
      <b className={styles.model}>{model}</b>
      <ol className={styles.gates}>
        <Gate name={t('routing.gates.token')} closed={refused}>
          {t(refused ? 'routing.gates.refuses' : 'routing.gates.allows')}
        </Gate>
        <Gate name={t('routing.gates.price')} closed={price === null}>
          {price === null ? t('routing.gates.noPrice') : `${amount(price.input_usd)} / ${amount(price.output_usd)}`}
        </Gate>
        <Gate name={t('routing.gates.limits')} closed={false}>
          <Limits who={who} />
        </Gate>
      </ol>
    </div>
  )
}

/** The token does not allow the model: then every channel that carries it is out for that reason. */
const isRefused = ({ candidates }: ExplainedRoute): boolean =>
  candidates.length > 0 && candidates.every(({ state, reason }) => reasonOf(state, reason) === 'token')

function Gate({ name, closed, children }: { name: string; closed: boolean; children: React.ReactNode }) {
  return (
    <li data-closed={closed || undefined}>
      <span className={styles.gateName}>{name}</span>
      <span className={styles.small}>{children}</span>
    </li>
  )
}

/** What counts now on the limits of an own token; of others only that there may be some. */
function Limits({ who }: { who: string }) {
  const { t } = useTranslation()
  const id = Number(/^token:(\d+)$/.exec(who)?.[1] ?? 0)
  const { data } = useQuery({ ...tokenQuery(id), enabled: id > 0, meta: ownReport, retry: false })
  if (!data) return t('routing.gates.unknown')
  const { rpm, rpm_used = 0, parallel, parallel_used = 0 } = data
  if (parallel > 0) return t('routing.gates.parallel', { used: parallel_used, limit: parallel })
  return rpm > 0 ? t('routing.gates.rpm', { used: rpm_used, limit: rpm }) : t('routing.gates.none')
}
