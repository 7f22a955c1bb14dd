import { Skeleton } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { OptionTab as TabName } from '#shared/option-sections.ts'
import { options } from '#shared/options.ts'
import { focusFirstError, SaveBar } from '#web/components/form/form-page.tsx'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useUser } from '#web/state/session.tsx'
import { useStatus } from '#web/state/status.tsx'
import { ClearLogs } from './clear-logs.tsx'
import { OptionField } from './option-field.tsx'
import { type Extra, keysOf, optionTabs, type Section } from './option-tables.ts'
import { PricePreview } from './price-preview.tsx'
import { isReadOnly } from './read-only.ts'
import { SectionFrame } from './section-frame.tsx'
import styles from './settings.module.css'
import { UpdateCheck } from './update-check.tsx'
import type { OptionDraft } from './use-option-draft.ts'

const extras: Record<Extra, (draft: OptionDraft) => ReactNode> = {
  clearLogs: () => <ClearLogs />,
  pricePreview: (draft) => <PricePreview draft={draft} />,
  updateCheck: () => <UpdateCheck />,
}

/** One tab of options, drawn from its table. */
export function OptionTab({ name, draft }: { name: TabName; draft: OptionDraft }) {
  const { t } = useTranslation()
  const { version } = useStatus()
  /** Faults of fields that are still being typed in are not named yet. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const tab = optionTabs[name]
  const editedIn = (section: Section) => keysOf(section).filter((key) => draft.changed(key))
  const changed = tab.flatMap(editedIn)
  const faulty = changed.filter((key) => draft.fault(key) !== null)
  const named = faulty.filter((key) => left.has(key))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setLeft(new Set(changed))
    if (faulty.length === 0) draft.save(changed)
    else requestAnimationFrame(focusFirstError)
  }
  if (draft.loading) return <Waiting />
  if (draft.failed) return <CannotLoad onRetry={draft.reload} />
  const sections = tab.map((section) => ({
    id: section.name,
    title: t(`settings.groups.${section.name}.title`),
    hint: t(`settings.groups.${section.name}.hint`, { origin: window.location.origin, version }),
    edited: editedIn(section).length,
    content: (
      <SectionFields
        section={section}
        draft={draft}
        named={named}
        onLeave={(key) => setLeft((before) => new Set([...before, key]))}
      />
    ),
  }))
  const editedTitles = sections.filter(({ edited }) => edited > 0).map(({ title }) => title)
  return (
    <form onSubmit={submit} noValidate>
      <SectionFrame sections={sections} />
      {changed.length > 0 && (
        <SaveBar
          errors={named.length}
          message={t('settings.unsaved', { count: changed.length, sections: editedTitles.join(t('common.comma')) })}
          submit={t('forms.save')}
          saving={draft.saving}
          secondary={{ label: t('forms.discard'), run: () => draft.discard(changed) }}
        />
      )}
    </form>
  )
}

interface FieldsProps {
  section: Section
  draft: OptionDraft
  /** Options whose fault is shown. */
  named: readonly string[]
  onLeave: (key: string) => void
}

function SectionFields({ section, draft, named, onLeave }: FieldsProps) {
  const { t } = useTranslation()
  const { isRoot } = useUser()
  const allReadOnly = keysOf(section).every((key) => isReadOnly(key, isRoot)) && keysOf(section).length > 0
  return (
    <>
      {allReadOnly && <p className={styles.note}>{t('settings.rootOnly')}</p>}
      <div className={styles.fields}>
        {section.items.map((item) =>
          'extra' in item ? (
            <div key={item.extra} className={styles.extra} data-extra={item.extra}>
              {extras[item.extra](draft)}
            </div>
          ) : (
            <div key={item.key} className={styles.field} data-kind={options[item.key].kind}>
              <OptionField
                name={item.key}
                text={draft.text(item.key)}
                onChange={(text) => draft.set(item.key, text)}
                error={named.includes(item.key) ? draft.fault(item.key) : null}
                readOnly={isReadOnly(item.key, isRoot)}
                saidAbove={allReadOnly}
                onLeave={() => onLeave(item.key)}
              />
            </div>
          ),
        )}
      </div>
    </>
  )
}

const lines = [30, 55, 40, 62, 48]

function Waiting() {
  return (
    <div aria-busy="true" className={styles.waiting}>
      {lines.map((width) => (
        <Skeleton key={width} height={10} width={`${width}%`} mt={28} />
      ))}
    </div>
  )
}
