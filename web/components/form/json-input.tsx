import { Textarea, type TextareaProps } from '@mantine/core'
import { useTranslation } from '#web/lib/i18n.ts'
import { type JsonFault, jsonFault } from '#web/lib/json-fault.ts'
import styles from './json-input.module.css'

const shownBefore = 40
const shownAfter = 24

/** A field for JSON. Its error shows the wrong character. */
export function JsonInput({ error, value, ...props }: TextareaProps & { value: string; error?: string }) {
  const fault = error && value.trim() !== '' ? jsonFault(value) : null
  return (
    <Textarea
      rows={8}
      resize="vertical"
      spellCheck={false}
      autoComplete="off"
      classNames={{ input: styles.input }}
      {...props}
      value={value}
      error={
        error && (
          <>
            {error}
            {fault && <Pointer fault={fault} />}
          </>
        )
      }
    />
  )
}

function Pointer({ fault }: { fault: JsonFault }) {
  const { t } = useTranslation()
  const at = fault.column - 1
  const from = Math.max(0, at - shownBefore)
  return (
    <span className={styles.fault}>
      <span>{t('forms.jsonAt', { line: fault.line, column: fault.column })}</span>
      <code className={styles.excerpt}>
        {fault.text.slice(from, at)}
        <mark className={styles.wrong}>{fault.text[at] ?? ' '}</mark>
        {fault.text.slice(at + 1, at + shownAfter)}
      </code>
    </span>
  )
}
