import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { pricesApi } from '#shared/api/prices.ts'
import { formatUsd } from '#shared/usd.ts'
import { UsdInput } from '#web/components/form/usd-input.tsx'
import { call } from '#web/lib/api.ts'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { modelNames } from '#web/state/queries/channel-queries.ts'
import styles from './simulate.module.css'
import type { DraftPrice, DraftState } from './use-draft.ts'

const ModelPicker = lazy(async () => ({
  default: (await import('#web/components/choices/model-picker.tsx')).ModelPicker,
}))

const priceOf = async (model: string) =>
  (await call(pricesApi.list, { keyword: model, pagesize: 100 })).list.find((row) => row.model === model)

/** Prices that belong to the draft: tried here, live only when it is applied. */
export function DraftPrices({ draft }: { draft: DraftState }) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  const known = useQuery({ ...modelNames, enabled: adding })
  const add = async (model: string) => {
    setAdding(false)
    const now = await reporting(priceOf(model))
    draft.setPrice(model, {
      input_usd: now?.input_usd ?? 0,
      ...(now?.output_usd == null ? {} : { output_usd: now.output_usd }),
    })
  }
  return (
    <section className={styles.prices}>
      <h2>{t('routing.draftPrices')}</h2>
      {Object.entries(draft.prices).map(([model, price]) => (
        <PriceLine
          key={model}
          model={model}
          price={price}
          onChange={(changed) => draft.setPrice(model, changed)}
          onRemove={() => draft.removePrice(model)}
        />
      ))}
      {adding ? (
        <Suspense>
          <ModelPicker
            label={t('routing.model')}
            value=""
            known={known.data ?? []}
            onChange={(model) => void add(model)}
          />
        </Suspense>
      ) : (
        <button type="button" className={styles.link} onClick={() => setAdding(true)}>
          {t('routing.addPrice')}
        </button>
      )}
    </section>
  )
}

interface LineProps {
  model: string
  price: DraftPrice
  onChange: (price: DraftPrice) => void
  onRemove: () => void
}

function PriceLine({ model, price, onChange, onRemove }: LineProps) {
  const { t } = useTranslation()
  const { data: now } = useQuery({ queryKey: ['price-list', 'one', model], queryFn: () => priceOf(model) })
  return (
    <div className={styles.price}>
      <span className="mono ellipsis">{model}</span>
      <span className={styles.before}>{formatUsd(now?.input_usd ?? null)} →</span>
      <UsdInput
        label={t('routing.inputOf', { model })}
        value={price.input_usd}
        onSave={(input_usd) => onChange({ ...price, input_usd })}
      />
      <span className={styles.before}>{formatUsd(now?.output_usd ?? null)} →</span>
      <UsdInput
        label={t('routing.outputOf', { model })}
        value={price.output_usd ?? null}
        onSave={(output_usd) => onChange({ ...price, output_usd })}
      />
      <ActionIcon aria-label={t('routing.removePrice', { model })} onClick={onRemove}>
        <IconX size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </div>
  )
}
