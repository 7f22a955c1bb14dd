import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { formatDate, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { usageStatement } from '#web/state/queries/usage-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { money } from './numbers.ts'
import styles from './overview.module.css'

const isMonth = (text: string | null): text is string => /^(19|20)\d\d-(0[1-9]|1[0-2])$/.test(text ?? '')

/** What a month cost, from the balance at its beginning to the one at its end. Made to be printed. */
export function StatementPage() {
  const { t } = useTranslation()
  const { user } = useUser()
  const display = useQuotaDisplay()
  const [params, setParams] = useSearchParams()
  const given = params.get('month')
  const month = isMonth(given) ? given : formatDate(nowSeconds()).slice(0, 7)
  const scope = /^team:\d+$/.test(params.get('scope') ?? '') ? (params.get('scope') ?? 'self') : 'self'
  const paper = useQuery(usageStatement({ month, scope }))
  const shown = (quota: number) => money(quota, display)
  const address = `/api/usage/statement?${new URLSearchParams({ month, scope, format: 'csv' })}`
  return (
    <>
      <PageHead title={t('overview.statementPage.title')} crumb={{ label: t('pages.overview'), to: '/' }}>
        <TextInput
          type="month"
          className={styles.screen}
          aria-label={t('overview.statementPage.month')}
          value={month}
          onChange={(event) =>
            isMonth(event.currentTarget.value) &&
            setParams({ month: event.currentTarget.value, ...(scope === 'self' ? {} : { scope }) }, { replace: true })
          }
        />
        <Button className={styles.screen} component="a" href={address} download>
          {t('overview.statementPage.download')}
        </Button>
        <Button className={styles.screen} variant="filled" onClick={() => window.print()}>
          {t('overview.statementPage.print')}
        </Button>
      </PageHead>
      {paper.isLoadingError && <CannotLoad onRetry={paper.refetch} />}
      {paper.data && (
        <div className={styles.paper}>
          <p>{t('overview.statementPage.of', { name: user?.display_name || user?.username || '', month })}</p>
          <dl className={styles.sums}>
            {(['opening', 'topups', 'grants', 'transfers'] as const).map((name) => (
              <div key={name}>
                <dt>{t(`overview.statementPage.${name}`)}</dt>
                <dd>{shown(paper.data[name])}</dd>
              </div>
            ))}
            <div>
              <dt>{t('overview.statementPage.charges')}</dt>
              <dd>{shown(0 - paper.data.charges.reduce((sum, { quota }) => sum + quota, 0))}</dd>
            </div>
            <div data-total>
              <dt>{t('overview.statementPage.closing')}</dt>
              <dd>{shown(paper.data.closing)}</dd>
            </div>
          </dl>
          {paper.data.charges.length === 0 ? (
            <p className="dimmed">{t('overview.statementPage.none')}</p>
          ) : (
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{t('overview.statementPage.model')}</th>
                  <th scope="col">{t('overview.statementPage.token')}</th>
                  <th scope="col" data-align="end">
                    {t('overview.statementPage.amount')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {paper.data.charges.map(({ model, token, quota }) => (
                  <tr key={`${model} ${token}`}>
                    <td className={model ? 'mono' : 'dimmed'}>{model || t('overview.statementPage.unknown')}</td>
                    <td>{token}</td>
                    <td data-align="end">{shown(quota)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </>
  )
}
