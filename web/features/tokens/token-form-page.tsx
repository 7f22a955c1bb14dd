import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { tokensApi } from '#shared/api/tokens.ts'
import { Loaded } from '#web/components/page/loaded.tsx'
import { call } from '#web/lib/api.ts'
import { TokenForm } from './token-form.tsx'
import { newToken, valuesOf } from './token-values.ts'

export function TokenFormPage() {
  const { id } = useParams()
  return id === undefined ? <TokenForm initial={newToken} /> : <TokenEdit key={id} id={Number(id)} />
}

function TokenEdit({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = useQuery({ queryKey: ['tokens', id], queryFn: () => call(tokensApi.get, { id }), gcTime: 0 })
  return (
    <Loaded query={query} title={t('pages.tokenEdit')} crumb={{ label: t('tokens.title'), to: '/token' }}>
      {(token) => <TokenForm id={id} initial={valuesOf(token)} />}
    </Loaded>
  )
}
