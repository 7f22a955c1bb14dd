import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { Loaded } from '#web/components/page/loaded.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { tokenQuery } from '#web/state/queries/token-queries.ts'
import { TokenForm } from './token-form.tsx'
import { newToken, valuesOf } from './token-values.ts'

export function TokenFormPage() {
  const { id } = useParams()
  const [params] = useSearchParams()
  const team_id = Number(params.get('team')) || 0
  return id === undefined ? <TokenForm initial={{ ...newToken, team_id }} /> : <TokenEdit key={id} id={Number(id)} />
}

function TokenEdit({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = useQuery(tokenQuery(id))
  return (
    <Loaded query={query} title={t('pages.tokenEdit')} crumb={{ label: t('tokens.title'), to: '/token' }}>
      {(token) => <TokenForm token={token} initial={valuesOf(token)} />}
    </Loaded>
  )
}
