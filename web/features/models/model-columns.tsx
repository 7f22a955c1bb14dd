import type { CatalogueModel } from '#shared/api/models.ts'
import { formatUsd } from '#shared/usd.ts'
import { HourStrip } from '#web/components/data/hour-strip.tsx'
import type { Column, Joined } from '#web/components/table/column.ts'
import { formatSeconds } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { formatShare, outputUsd } from '#web/lib/usd.ts'
import { abilitiesOf, sizeText } from './model-words.ts'
import styles from './models.module.css'

const exact = (usd: number | null): string => (usd === null ? '' : `$${usd}`)

type CataloguePrice = 'input_usd' | 'cached_usd' | 'output_usd'

/** Cached input that costs what input costs has no price of its own. */
const isSameAsInput = (
  price: Pick<CatalogueModel['price'], 'input_usd' | 'cached_usd'>,
  field: CataloguePrice,
): boolean => field === 'cached_usd' && price.cached_usd === price.input_usd

/** Sold by the piece, a price stands alone and says by what. */
function eachText(t: TFunction, { price: { unit, input_usd } }: CatalogueModel): string | null {
  return unit === 'token' ? null : `${formatUsd(input_usd)} ${t(`prices.by.${unit}`)}`
}

export function joinedPrices(t: TFunction, model: CatalogueModel): Joined | null {
  const text = eachText(t, model)
  return text === null
    ? null
    : { columns: ['input', 'cached', 'output'], cell: <span className={styles.each}>{text}</span> }
}

interface Look {
  /** A panel stands beside the list, so that it makes do with less. */
  isBeside: boolean
  open: (id: string) => void
}

/** Which model it is, whose where there is no other room for that, and the way to its panel. */
function nameColumn(t: TFunction, { isBeside, open }: Look): Column<CatalogueModel> {
  const opener = ({ id }: CatalogueModel) => (
    <button
      type="button"
      data-opens=""
      className={styles.name}
      aria-label={t('models.open', { model: id })}
      onClick={() => open(id)}
    >
      {id}
    </button>
  )
  return {
    id: 'model',
    header: t('models.model'),
    cell: (model) =>
      isBeside ? (
        <span className={styles.two}>
          {opener(model)}
          <span className={styles.below}>{model.vendor}</span>
        </span>
      ) : (
        opener(model)
      ),
    sortBy: ({ id }) => id,
    title: ({ id }) => id,
    phone: 'title',
    phoneCell: opener,
  }
}

/** How much it reads and writes, and what it can do. */
const abilityColumns = (t: TFunction): Column<CatalogueModel>[] => [
  {
    id: 'vendor',
    header: t('models.vendor'),
    cell: ({ vendor }) => vendor || <span className="dimmed">–</span>,
    sortBy: ({ vendor }) => vendor,
    width: 92,
    phone: 'meta',
  },
  {
    id: 'context',
    header: t('models.context'),
    cell: ({ context }) => sizeText(context),
    sortBy: ({ context }) => context ?? 0,
    title: ({ context }) => (context === null ? '' : t('models.tokens', { count: context })),
    align: 'end',
    width: 70,
    phone: 'hidden',
    drop: 3,
  },
  {
    id: 'maxOutput',
    header: t('models.maxOut'),
    cell: ({ max_output }) => sizeText(max_output),
    sortBy: ({ max_output }) => max_output ?? 0,
    title: ({ max_output }) => (max_output === null ? '' : t('models.tokens', { count: max_output })),
    align: 'end',
    width: 70,
    phone: 'hidden',
    drop: 2,
  },
  {
    id: 'abilities',
    header: t('models.can'),
    cell: (model) => <span className={styles.can}>{abilitiesOf(t, model) || '–'}</span>,
    title: (model) => abilitiesOf(t, model),
    width: 182,
    least: 120,
    phone: 'hidden',
    drop: 1,
  },
]

const priceCell =
  (field: CataloguePrice) =>
  ({ price }: CatalogueModel) =>
    field === 'output_usd' ? outputUsd(price) : formatUsd(isSameAsInput(price, field) ? null : price[field])

const priceColumns = (t: TFunction): Column<CatalogueModel>[] => [
  {
    id: 'input',
    header: t('models.input'),
    cell: priceCell('input_usd'),
    sortBy: ({ price }) => price.input_usd ?? 0,
    title: ({ price }) => exact(price.input_usd),
    align: 'end',
    width: 70,
    phone: 'state',
    phoneCell: (model) => eachText(t, model) ?? `${formatUsd(model.price.input_usd)} / ${outputUsd(model.price)}`,
  },
  {
    id: 'cached',
    header: t('models.cached'),
    cell: priceCell('cached_usd'),
    title: ({ price }) => exact(price.cached_usd),
    align: 'end',
    width: 70,
    phone: 'hidden',
    drop: 4,
  },
  {
    id: 'output',
    header: t('models.output'),
    cell: priceCell('output_usd'),
    sortBy: ({ price }) => price.output_usd ?? 0,
    title: ({ price }) => exact(price.output_usd),
    align: 'end',
    width: 70,
    phone: 'hidden',
  },
]

/** How soon it answered in the last day, and how surely. */
const healthColumns = (t: TFunction, isBeside: boolean): Column<CatalogueModel>[] => [
  {
    id: 'firstByte',
    header: t('models.firstByte'),
    cell: ({ first_byte_p50_ms: ms }) => (ms === null ? '–' : formatSeconds(ms)),
    sortBy: ({ first_byte_p50_ms: ms }) => ms ?? 0,
    title: () => t('models.day'),
    align: 'end',
    width: 84,
    phone: 'badge',
    drop: 5,
  },
  {
    id: 'availability',
    header: t('models.day'),
    cell: ({ hours, availability }) => (
      <span className={styles.strip}>
        <HourStrip hours={hours} share={formatShare(availability)} />
        {!isBeside && <span className={styles.below}>{formatShare(availability)}</span>}
      </span>
    ),
    sortBy: ({ availability }) => availability ?? -1,
    width: isBeside ? 88 : 132,
    phone: 'hidden',
    drop: 5,
  },
]

/** What a list beside a panel does without. */
const leftOutBeside = ['vendor', 'maxOutput', 'abilities']

export function modelColumns(t: TFunction, look: Look): Column<CatalogueModel>[] {
  const columns = [nameColumn(t, look), ...abilityColumns(t), ...priceColumns(t), ...healthColumns(t, look.isBeside)]
  return look.isBeside ? columns.filter(({ id }) => !leftOutBeside.includes(id)) : columns
}
