import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type FocusEvent, type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { PageHead } from '#web/components/page/page-head.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { leaveFreely } from '#web/state/leaving.ts'
import styles from './form-page.module.css'
import { LeaveGuard } from './leave-guard.tsx'

interface Props {
  title: string
  crumb: { label: string; to: string }
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** Something was typed that is not saved. */
  dirty?: boolean
  /** Beside the title: what can be done apart from the form. */
  tools?: ReactNode
  /** What stands behind the title: a state. */
  state?: ReactNode
  children: ReactNode
}

/** A page that is one form: crumb and title, sections, and a `SaveBar` as the last child. */
export function FormPage({ title, crumb, onSubmit, dirty = false, tools, state, children }: Props) {
  return (
    <>
      <PageHead title={title} crumb={crumb} count={state}>
        {tools}
      </PageHead>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        {children}
      </form>
      <LeaveGuard dirty={dirty} />
    </>
  )
}

interface SectionProps {
  title: string
  hint?: string
  /** What is known and cannot be edited, under the hint. */
  facts?: ReactNode
  children: ReactNode
}

/** A title with one line at the left, fields at the right. `FieldPair` puts two short ones on a line. */
export function FormSection({ title, hint, facts, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <div>
        <h2 className={styles.heading}>{title}</h2>
        {hint && <p className={styles.hint}>{hint}</p>}
        {facts}
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  )
}

export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}

/** Three short fields on a line. */
export function FieldTriple({ children }: { children: ReactNode }) {
  return <div className={styles.triple}>{children}</div>
}

/** Text links under a field that fill it. */
export function FieldLinks({ links }: { links: ReadonlyArray<{ label: string; run: () => void }> }) {
  return (
    <div className={styles.links}>
      {links.map(({ label, run }) => (
        <button key={label} type="button" className={styles.link} onClick={run}>
          {label}
        </button>
      ))}
    </div>
  )
}

/** Read-only facts: a definition list, not disabled inputs. */
export function Facts({ facts }: { facts: ReadonlyArray<{ label: string; value: ReactNode }> }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface SaveBarProps {
  /** Fields with an error; pressing the line focuses the first. */
  errors?: number
  /** "2 unsaved changes", or any other line when nothing is wrong. */
  message?: ReactNode
  submit: string
  saving: boolean
  secondary: { label: string; run: () => void }
  /** Ends where a table ends, not where fields end. */
  wide?: boolean
}

/** After saving the bar disappears, and the focus returns to the field it came from. */
function useWayBack() {
  const before = useRef<HTMLElement>(null)
  useEffect(
    () => () => {
      if (document.activeElement === document.body) before.current?.focus()
    },
    [],
  )
  return ({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (!target.matches(':focus-visible') || currentTarget.contains(relatedTarget)) return
    before.current = relatedTarget instanceof HTMLElement ? relatedTarget : null
  }
}

/** Sticks to the bottom of a form. */
export function SaveBar({ errors = 0, message, submit, saving, secondary, wide = false }: SaveBarProps) {
  const { t } = useTranslation()
  const noteFocus = useWayBack()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its handler only watches the buttons in it
    <div className={styles.saveBar} onFocus={noteFocus}>
      <div className={styles.saveInner} data-wide={wide || undefined}>
        <div role="status">
          {errors > 0 ? (
            <button type="button" className={styles.attention} onClick={focusFirstError}>
              <IconAlertTriangle size={16} stroke={1.6} aria-hidden />
              {t('forms.attention', { count: errors })}
            </button>
          ) : (
            message
          )}
        </div>
        <div className={styles.saveButtons}>
          <Button onClick={() => leaveFreely(secondary.run)}>{secondary.label}</Button>
          <Button type="submit" variant="filled" loading={saving}>
            {submit}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** Brings the reader to the first field that has an error. */
export function focusFirstError(): void {
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus()
}
