import { type HistoryEntry, type HistoryKind, secretShown } from '#shared/api/history.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { type FieldChange, fieldName, fieldsOf } from './entry-words.ts'
import { spell, spellField } from './field-values.ts'
import styles from './history.module.css'
import { lineDiff } from './line-diff.ts'

const shortMax = 28

const isLong = ({ before, after }: FieldChange): boolean => {
  const texts = [spell(before), spell(after)]
  return texts.some((text) => text.length > shortMax || text.includes('\n'))
}

/** Fields before and after: short ones as a table, long ones line by line below it. */
export function FieldTable({ entry }: { entry: HistoryEntry }) {
  const { t } = useTranslation()
  const fields = fieldsOf(entry).filter(({ before, after }) => spell(before) !== '' || spell(after) !== '')
  const short = fields.filter((field) => !isLong(field))
  const { kind, before: was, after: is } = entry
  return (
    <>
      {short.length > 0 && (
        <table className={styles.fields}>
          <thead>
            <tr>
              <th scope="col">{t('history.field')}</th>
              {was !== null && <th scope="col">{t('history.before')}</th>}
              {is !== null && <th scope="col">{t('history.after')}</th>}
            </tr>
          </thead>
          <tbody>
            {short.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{fieldName(t, field)}</th>
                {was !== null && (
                  <td className={styles.old}>
                    <Value kind={kind} field={field} value={before} sealed={t('history.sealed')} />
                  </td>
                )}
                {is !== null && (
                  <td className="name">
                    <Value kind={kind} field={field} value={after} sealed={t('history.changedSealed')} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {fields.filter(isLong).map((field) => (
        <Lines key={field.field} {...field} />
      ))}
    </>
  )
}

interface ValueProps {
  kind: HistoryKind
  field: string
  value: unknown
  sealed: string
}

function Value({ kind, field, value, sealed }: ValueProps) {
  const { t } = useTranslation()
  const display = useQuotaDisplay()
  if (value === secretShown) return sealed
  const text = spellField(t, display, kind, { field, value })
  return text === '' ? <span className="dimmed">{t('history.empty')}</span> : text
}

function Lines({ field, before, after }: FieldChange) {
  const { t } = useTranslation()
  const lines = lineDiff(spell(before), spell(after))
  return (
    <>
      <h3 className={styles.fieldName}>{fieldName(t, field)}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <pre className={styles.diff} tabIndex={0}>
        {lines.map(({ sign, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
          <span key={at} data-sign={sign}>
            {`${sign} ${text}\n`}
          </span>
        ))}
      </pre>
    </>
  )
}
