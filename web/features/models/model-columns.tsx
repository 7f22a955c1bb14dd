import type { CatalogueModel } from '#shared/api/models.ts'
import type { Column } from '#web/components/table/column.ts'
import { formatCount, formatSeconds } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { formatShare, formatUsd } from '#web/lib/usd.ts'
import styles from './models.module.css'

export const abilitiesOf = (t: TFunction, { input, features }: CatalogueModel): string => {
  const words: Record<string, string> = t('models.words', { returnObjects: true })
  return [...input, ...features].map((word) => words[word] ?? word).join(', ')
}

const exact = (usd: number | null): string => (usd === null ? '' : `$${usd}`)

export const modelColumns = (t: TFunction, open: (id: string) => void): Column<CatalogueModel>[] => [
  {
    id: 'model',
    header: t('models.model'),
    cell: ({ id }) => (
      <button
        type="button"
        className={styles.name}
        aria-label={t('models.open', { model: id })}
        onClick={() => open(id)}
      >
        {id}
      </button>
    ),
    sortBy: ({ id }) => id,
    title: ({ id }) => id,
    phone: 'title',
  },
  {
    id: 'vendor',
    header: t('models.vendor'),
    cell: ({ vendor }) => vendor || <span className="dimmed">–</span>,
    sortBy: ({ vendor }) => vendor,
    width: 120,
    phone: 'meta',
    drop: 3,
  },
  {
    id: 'context',
    header: t('models.context'),
    cell: ({ context }) => (context === null ? '–' : formatCount(context)),
    sortBy: ({ context }) => context ?? 0,
    align: 'end',
    width: 110,
    phone: 'hidden',
    drop: 2,
  },
  {
    id: 'abilities',
    header: t('models.abilities'),
    cell: (model) => abilitiesOf(t, model),
    title: (model) => abilitiesOf(t, model),
    width: 240,
    phone: 'hidden',
    drop: 1,
  },
  {
    id: 'input',
    header: t('models.input'),
    cell: ({ price }) => formatUsd(price.input_usd),
    sortBy: ({ price }) => price.input_usd ?? 0,
    title: ({ price }) => exact(price.input_usd),
    align: 'end',
    width: 90,
    phone: 'state',
    phoneCell: ({ price }) => `${formatUsd(price.input_usd)} / ${formatUsd(price.output_usd)}`,
  },
  {
    id: 'cached',
    header: t('models.cached'),
    cell: ({ price }) => formatUsd(price.cached_usd),
    title: ({ price }) => exact(price.cached_usd),
    align: 'end',
    width: 90,
    phone: 'hidden',
    drop: 4,
  },
  {
    id: 'output',
    header: t('models.output'),
    cell: ({ price }) => formatUsd(price.output_usd),
    sortBy: ({ price }) => price.output_usd ?? 0,
    title: ({ price }) => exact(price.output_usd),
    align: 'end',
    width: 90,
    phone: 'hidden',
  },
  {
    id: 'firstByte',
    header: t('models.firstByte'),
    cell: ({ first_byte_p50_ms: ms }) => (ms === null ? '–' : formatSeconds(ms)),
    sortBy: ({ first_byte_p50_ms: ms }) => ms ?? 0,
    title: () => t('models.day'),
    align: 'end',
    width: 90,
    phone: 'badge',
    drop: 5,
  },
  {
    id: 'availability',
    header: t('models.availability'),
    cell: ({ availability }) => formatShare(availability),
    sortBy: ({ availability }) => availability ?? -1,
    title: () => t('models.day'),
    align: 'end',
    width: 100,
    phone: 'hidden',
    drop: 5,
  },
]
