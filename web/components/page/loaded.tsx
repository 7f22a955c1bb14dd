import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ApiError } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { refusalText } from '#web/lib/messages.ts'
import { CannotLoad } from './cannot-load.tsx'
import { EmptyState } from './empty-state.tsx'
import { PageHead } from './page-head.tsx'

interface Props<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>
  title: string
  crumb: { label: string; to: string }
  children: (data: Data) => ReactNode
}

/** What does not exist is called so. */
const reason = (error: unknown): string | null =>
  error instanceof ApiError && (error.code?.endsWith('.not_found') ?? false) ? refusalText(error) : null

const lines = [30, 55, 40, 62, 48]

/** A form page whose contents are on their way, or do not exist. */
export function Loaded<Data>({ query, title, crumb, children }: Props<Data>) {
  const { t } = useTranslation()
  if (query.data !== undefined) return children(query.data)
  const missing = reason(query.error)
  return (
    <>
      <PageHead title={title} crumb={crumb} />
      {missing !== null && (
        <EmptyState title={missing} hint={<Link to={crumb.to}>{t('forms.backTo', { page: crumb.label })}</Link>} />
      )}
      {query.isError && missing === null && <CannotLoad onRetry={query.refetch} />}
      {!query.isError && (
        <div aria-busy="true">
          {lines.map((width) => (
            <Skeleton key={width} height={10} width={`${width}%`} mt={28} />
          ))}
        </div>
      )}
    </>
  )
}
