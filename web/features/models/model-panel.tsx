import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CatalogueModel } from '#shared/api/models.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { Snippets } from '#web/components/content/snippets.tsx'
import { SidePanel } from '#web/components/page/side-panel.tsx'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare, formatUsd } from '#web/lib/usd.ts'
import { tokenList } from '#web/state/queries/token-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { abilitiesOf, sizeText, speaksOf } from './model-words.ts'
import styles from './models.module.css'

interface Props {
  model: CatalogueModel
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onClose: () => void
}

/** One model beside the list: what it is, what it costs, how it fares, and how it is called. */
export function ModelPanel({ model, onUp, onDown, onClose }: Props) {
  const { t } = useTranslation()
  const { user } = useUser()
  const sizes = [
    model.vendor,
    model.context !== null && t('models.contextIs', { size: sizeText(model.context) }),
    model.max_output !== null && t('models.outputIs', { size: sizeText(model.max_output) }),
    abilitiesOf(t, model),
  ]
  return (
    <SidePanel
      entry={model.id}
      label={model.id}
      title={model.id}
      mono
      lead={sizes.filter(Boolean).join('. ')}
      onUp={onUp}
      onDown={onDown}
      onClose={onClose}
    >
      <Prices model={model} />
      <HowItFares model={model} />
      {user && <Calling model={model.id} />}
    </SidePanel>
  )
}

function Prices({ model: { price } }: { model: CatalogueModel }) {
  const { t } = useTranslation()
  const rows =
    price.unit === 'token'
      ? ([
          ['input', price.input_usd],
          ['cachedInput', price.cached_usd],
          ['cacheWrite', price.cache_write_usd],
          ['output', price.output_usd],
        ] as const)
      : ([['input', price.input_usd]] as const)
  return (
    <table className={styles.prices}>
      <thead>
        <tr>
          <th scope="col">{t(price.unit === 'token' ? 'models.perMillion' : `prices.by.${price.unit}`)}</th>
          <th scope="col">{t('models.price')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, usd]) => (
          <tr key={name}>
            <th scope="row">{t(`models.${name}`)}</th>
            <td title={usd === null ? undefined : `$${usd}`}>{formatUsd(usd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function HowItFares({ model }: { model: CatalogueModel }) {
  const { t } = useTranslation()
  const { first_byte_p50_ms: p50, first_byte_p95_ms: p95, availability } = model
  const speaks = speaksOf(model.id)
  const facts = [
    [
      t('models.firstByte'),
      p50 === null ? '–' : t('models.times', { p50: formatSeconds(p50), p95: formatSeconds(p95 ?? p50) }),
    ],
    [t('models.answered'), formatShare(availability)],
    ...(speaks === '' ? [] : [[t('models.speaks'), speaks]]),
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const ownTokens = { page: 1, pagesize: 100, keyword: '', order: '' }

/** Code with the key of a chosen token, and the ways on from here. */
function Calling({ model }: { model: string }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState('')
  const tokens = (useQuery(tokenList(ownTokens)).data?.list ?? []).filter(
    ({ status }) => status === tokenStatus.enabled,
  )
  const token = tokens.find(({ id }) => String(id) === chosen) ?? tokens[0]
  const name = encodeURIComponent(model)
  return (
    <>
      <Snippets
        keyText={token ? `sk-${token.key}` : 'sk-…'}
        ask={{ model, messages: [], stream: false }}
        beside={
          tokens.length > 0 && (
            <NativeSelect
              size="xs"
              aria-label={t('models.keyOf')}
              value={String(token?.id ?? '')}
              data={tokens.map((each) => ({ value: String(each.id), label: t('models.withKey', { name: each.name }) }))}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          )
        }
      />
      <div className={styles.ways}>
        <Button variant="filled" component={Link} to={`/playground?model=${name}`}>
          {t('models.tryIt')}
        </Button>
        <Button variant="subtle" component={Link} to={`/log?model_name=${name}`}>
          {t('models.myUsage')}
        </Button>
      </div>
    </>
  )
}
