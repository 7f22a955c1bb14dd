import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { pricesApi, type SyncRow } from '#shared/api/prices.ts'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { call } from '#web/lib/api.ts'
import { formatClock } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { askAgain } from '#web/state/queries/ask-again.ts'
import styles from './prices.module.css'
import { SyncDifferences } from './sync-differences.tsx'
import { type Source, SyncSource } from './sync-source.tsx'

export interface Preview {
  readonly id: string
  readonly rows: readonly SyncRow[]
  /** Milliseconds. */
  readonly at: number
}

const notJson = Symbol('not JSON')

async function readFile(file: File | null): Promise<unknown> {
  try {
    return JSON.parse((await file?.text()) ?? '')
  } catch {
    return notJson
  }
}

/** What a public list would change: looked at first, then applied as one step. */
export function PriceSyncPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const undoable = useUndoToast()
  const [source, setSource] = useState<Source>({ name: 'models.dev', url: '', file: null, format: 'litellm' })
  const preview = useMutation<Preview | undefined>({
    mutationFn: async () => {
      const { name, url, file, format } = source
      if (name !== 'file') {
        const address = url.trim() === '' ? {} : { url: url.trim() }
        return { ...(await call(pricesApi.preview, { format: name, ...address })), at: Date.now() }
      }
      const data = await readFile(file)
      if (data !== notJson) return { ...(await call(pricesApi.preview, { format, data })), at: Date.now() }
      toast.warning(t('prices.badFile'))
      return undefined
    },
  })
  const apply = useMutation({
    mutationFn: ({ id, models }: { id: string; models: string[] }) => call(pricesApi.apply, { id, models }),
    onSuccess: async (count) => {
      await askAgain(queries, 'price-list')
      void navigate('/price')
      await undoable(t('prices.applied', { count }), { kind: 'price' })
    },
  })
  return (
    <>
      <PageHead title={t('prices.sync')} crumb={{ label: t('prices.title'), to: '/price' }}>
        {preview.data && (
          <span className="dimmed">
            {t('prices.fetched', {
              count: preview.data.rows.length,
              time: formatClock(preview.data.at / 1000),
            })}
          </span>
        )}
        <Button
          loading={preview.isPending}
          onClick={() => preview.mutate()}
          disabled={source.name === 'file' && !source.file}
          leftSection={preview.data && <IconRefresh size={16} stroke={1.6} aria-hidden />}
          variant={preview.data ? 'default' : 'filled'}
        >
          {t(preview.data ? 'prices.fetchAgain' : 'prices.preview')}
        </Button>
      </PageHead>
      <SyncSource source={source} onChange={(change) => setSource({ ...source, ...change })} />
      {preview.data ? (
        <SyncDifferences
          key={preview.data.id}
          rows={preview.data.rows}
          applying={apply.isPending}
          onApply={(models) => preview.data && apply.mutate({ id: preview.data.id, models })}
        />
      ) : (
        <p className={styles.intro}>{t('prices.syncHint')}</p>
      )}
    </>
  )
}
