import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { BudgetBar } from '#web/components/data/budget-bar.tsx'
import { State } from '#web/components/data/state-dot.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { teamTokensQuery } from '#web/state/queries/team-queries.ts'
import styles from './teams.module.css'

/** Tokens that spend from the team's wallet: all of them for managers, the own ones for members. */
export function TokensSection({ teamId }: { teamId: number }) {
  const { t } = useTranslation()
  const { data: tokens = [] } = useQuery(teamTokensQuery(teamId))
  return (
    <section className={styles.section} aria-labelledby="team-tokens">
      <h2 id="team-tokens">{t('teams.tokens')}</h2>
      <ul className={styles.rows}>
        {tokens.map((token) => (
          <li key={token.id} className={styles.row}>
            <b className={styles.name}>{token.name}</b>
            <State kind="token" status={token.status} />
            <BudgetBar {...token} />
            <span>
              <Anchor component={Link} to={`/token/edit/${token.id}`} aria-label={`${t('common.edit')} ${token.name}`}>
                {t('common.edit')}
              </Anchor>
            </span>
          </li>
        ))}
      </ul>
      <p>
        <Anchor component={Link} to={`/token/add?team=${teamId}`}>
          {t('teams.addToken')}
        </Anchor>
      </p>
    </section>
  )
}
