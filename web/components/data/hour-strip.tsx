import type { CatalogueModel } from '#shared/api/models.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type Hours = CatalogueModel['hours']

const heights = { none: 2, ok: 10, failing: 18 } as const
const width = 2
const gap = 1

/** One tick an hour: short where nobody asked, tall and red where one in ten requests failed. */
export function HourStrip({ hours, share }: { hours: Hours; share: string }) {
  const { t } = useTranslation()
  const failing = hours.filter((state) => state === 'failing').length
  const words = t(failing > 0 ? 'models.stripFailing' : 'models.strip', { share, count: failing })
  return (
    <svg width={hours.length * (width + gap)} height="18" role="img" aria-label={words}>
      {hours.map((state, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: hours have no name but their place
          key={at}
          x={at * (width + gap)}
          y={18 - heights[state]}
          width={width}
          height={heights[state]}
          fill={state === 'failing' ? 'var(--mantine-color-red-dot)' : 'var(--sy-track)'}
        />
      ))}
    </svg>
  )
}
