import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CatalogueModel } from '#shared/api/models.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { formatUsd } from '#shared/usd.ts'
import { Snippets } from '#web/components/content/snippets.tsx'
import { SidePanel } from '#web/components/page/side-panel.tsx'
import { formatCount, formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { formatShare } from '#web/lib/usd.ts'
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
    model.context !== null && t('models.contextIs', { size: sizeText(model.context) }),
    model.max_output !== null && t('models.outputIs', { size: sizeText(model.max_output) }),
  ]
  const abilities = abilitiesOf(t, model)
  const lead = [
    model.vendor,
    sizes.filter(Boolean).join(t('models.comma')),
    abilities.charAt(0).toUpperCase() + abilities.slice(1),
  ]
  return (
    <SidePanel
      entry={model.id}
      label={model.id}
      title={model.id}
      mono
      lead={lead
        .filter(Boolean)
        .map((part) => t('models.sentence', { part }))
        .join('')}
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
  const isByToken = price.unit === 'token'
  const ranges = isByToken ? [{ ...price, above: 0 }, ...price.tiers] : [{ ...price, above: 0 }]
  const headOf = (above: number, at: number): string => {
    if (ranges.length === 1) return t('models.price')
    return at === 0
      ? t('models.upTo', { size: sizeText(ranges[1]?.above ?? 0) })
      : t('models.above', { size: sizeText(above) })
  }
  const rows = isByToken
    ? ([
        ['input', 'input_usd'],
        ['cachedInput', 'cached_usd'],
        ['cacheWrite', 'cache_write_usd'],
        ['output', 'output_usd'],
      ] as const)
    : ([['input', 'input_usd']] as const)
  return (
    <table className={styles.prices}>
      <thead>
        <tr>
          <th scope="col">{t(isByToken ? 'models.perMillion' : `prices.by.${price.unit}`)}</th>
          {ranges.map(({ above }, at) => (
            <th key={above} scope="col">
              {headOf(above, at)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, field]) => (
          <tr key={name}>
            <th scope="row">{t(`models.${name}`)}</th>
            {ranges.map(({ above, [field]: usd }) => (
              <td key={above} title={usd === null ? undefined : `$${usd}`}>
                {formatUsd(usd)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function HowItFares({ model }: { model: CatalogueModel }) {
  const { t } = useTranslation()
  const { first_byte_p50_ms: p50, first_byte_p95_ms: p95, availability, tokens_per_second: speed, requests } = model
  const speaks = speaksOf(model.id)
  const facts = [
    [
      t('models.firstByte'),
      p50 === null ? '–' : t('models.times', { p50: formatSeconds(p50), p95: formatSeconds(p95 ?? p50) }),
    ],
    ...(speed === null ? [] : [[t('models.speed'), t('models.perSecond', { count: Math.round(speed) })]]),
    [
      t('models.answered'),
      requests === 0 ? '–' : t('models.shareOf', { share: formatShare(availability), requests: formatCount(requests) }),
    ],
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
              className={styles.key}
              size="xs"
              aria-label={t('models.keyOf')}
              title={token?.name}
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
