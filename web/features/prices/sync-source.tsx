import { FileInput, NativeSelect, TextInput } from '@mantine/core'
import { type PriceFormat, priceFormats } from '#shared/api/prices.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './prices.module.css'

export const sourceNames = ['models.dev', 'litellm', 'openrouter', 'one-api', 'file'] as const
export type SourceName = (typeof sourceNames)[number]

/** Where prices are read from. */
export interface Source {
  name: SourceName
  url: string
  file: File | null
  /** What a file holds. */
  format: PriceFormat
}

interface Props {
  source: Source
  onChange: (change: Partial<Source>) => void
}

/** The sources as a row of cells, and below what the chosen one wants to know. */
export function SyncSource({ source, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <div className={styles.sources} role="radiogroup" aria-label={t('prices.from')}>
        {sourceNames.map((name) => (
          <label key={name} className={styles.source} data-chosen={name === source.name || undefined}>
            <input
              type="radio"
              name="source"
              value={name}
              checked={name === source.name}
              onChange={() => onChange({ name })}
            />
            <span>{t(`prices.origins.${name === 'models.dev' ? 'modelsDev' : name}.name`)}</span>
            <span className={styles.below}>
              {t(`prices.origins.${name === 'models.dev' ? 'modelsDev' : name}.hint`)}
            </span>
          </label>
        ))}
      </div>
      <div className={styles.tools}>
        {source.name === 'file' ? (
          <>
            <NativeSelect
              label={t('prices.format')}
              value={source.format}
              onChange={(event) =>
                onChange({ format: priceFormats.find((known) => known === event.currentTarget.value) ?? 'litellm' })
              }
              data={[...priceFormats]}
            />
            <FileInput
              label={t('prices.file')}
              placeholder={t('prices.chooseFile')}
              accept="application/json,.json"
              value={source.file}
              onChange={(file) => onChange({ file })}
              w={280}
            />
          </>
        ) : (
          <TextInput
            label={t('prices.address')}
            description={t(source.name === 'one-api' ? 'prices.addressNeeded' : 'prices.addressHelp')}
            inputMode="url"
            value={source.url}
            onChange={(event) => onChange({ url: event.currentTarget.value })}
            w={360}
          />
        )}
      </div>
    </>
  )
}
