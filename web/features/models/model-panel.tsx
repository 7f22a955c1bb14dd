import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { CatalogueModel } from '#shared/api/models.ts'
import { Snippets } from '#web/components/content/snippets.tsx'
import { Facts } from '#web/components/form/form-page.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatUsd } from '#web/lib/usd.ts'
import { tokenList } from '#web/state/queries/token-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { abilitiesOf } from './model-columns.tsx'
import styles from './models.module.css'

/** One model beside the list: what it is, and how it is called. */
export function ModelPanel({ model, onClose }: { model: CatalogueModel; onClose: () => void }) {
  const { t } = useTranslation()
  const { user } = useUser()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const size = (tokens: number | null) =>
    tokens === null ? t('models.unknown') : t('models.tokens', { count: tokens })
  const facts = [
    { label: t('models.vendor'), value: model.vendor || t('models.unknown') },
    { label: t('models.context'), value: size(model.context) },
    { label: t('models.maxOutput'), value: size(model.max_output) },
    { label: t('models.abilities'), value: abilitiesOf(t, model) },
    { label: t('models.input'), value: formatUsd(model.price.input_usd) },
    { label: t('models.cached'), value: formatUsd(model.price.cached_usd) },
    { label: t('models.output'), value: formatUsd(model.price.output_usd) },
  ]
  return (
    <aside
      className={styles.panel}
      aria-label={model.id}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div className={styles.panelHead}>
        <h2 ref={title} tabIndex={-1} className={styles.panelTitle}>
          {model.id}
        </h2>
        <ActionIcon aria-label={t('models.close')} onClick={onClose}>
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
      </div>
      <Facts facts={facts} />
      {user && (
        <>
          <h3>{t('models.code')}</h3>
          <OwnSnippets model={model.id} />
          <p>
            <Link to={`/playground?model=${encodeURIComponent(model.id)}`}>{t('models.tryIt')}</Link>
          </p>
        </>
      )}
    </aside>
  )
}

const firstToken = { page: 1, pagesize: 100, keyword: '', order: '' }

function OwnSnippets({ model }: { model: string }) {
  const tokens = useQuery(tokenList(firstToken))
  const key = tokens.data?.list.find((token) => token.status === 1)?.key
  return <Snippets keyText={key === undefined ? 'sk-…' : `sk-${key}`} ask={{ model, messages: [], stream: false }} />
}
