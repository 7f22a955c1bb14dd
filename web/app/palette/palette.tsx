import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { commandKey } from '#web/lib/keys.ts'
import styles from './palette.module.css'
import type { Entry } from './palette-entries.ts'
import { PaletteOption } from './palette-option.tsx'
import { holds, useResults } from './use-results.ts'

/** Goes anywhere and does most things from the keyboard. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={640}
      yOffset={104}
      padding={0}
      transitionProps={{ duration: 0 }}
      closeOnEscape={false}
      shadow="md"
      portalProps={{ target: '#floating' }}
      classNames={{ content: styles.content, body: styles.body }}
    >
      <Modal.Overlay color="#000" backgroundOpacity={0.4} />
      <Modal.Content aria-label={t('palette.open')}>
        <Modal.Body>
          <PaletteBody onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const list = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  /** The thing whose actions are listed. */
  const [about, setAbout] = useState<Entry | null>(null)
  /** What was typed before they were. */
  const [before, setBefore] = useState('')
  const found = useResults(about ? '' : text.trim())
  const groups = about ? [{ name: about.label, entries: (about.actions ?? []).filter(holds(text.trim())) }] : found
  const entries = groups.flatMap((group) => group.entries)
  const current = entries[Math.min(chosen, entries.length - 1)]
  const idOf = (entry: Entry) => `${list}-${entry.id}`.replaceAll(/[\s/]/g, '-')
  const open = (entry: Entry, newTab: boolean) => {
    if (entry.asks) return show(entry)
    onClose()
    if (entry.to !== undefined && newTab) window.open(entry.to, '_blank', 'noopener')
    else if (entry.to !== undefined) void navigate(entry.to)
    else void entry.run?.()
  }
  const show = (thing: Entry | null) => {
    setAbout(thing)
    setText(thing ? '' : before)
    if (thing && !about) setBefore(text)
    setChosen(0)
  }
  /** Keys that lead into the actions of a thing, run one of them, or lead back. */
  const pressAbout = (event: KeyboardEvent): boolean => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      if (about) show(null)
      else onClose()
      return true
    }
    if (event.key === 'Tab' && !event.shiftKey && current?.actions) {
      show(current)
      return true
    }
    if (!about) return event.key === 'Tab'
    if ((event.key === 'Tab' && event.shiftKey) || (event.key === 'Backspace' && text === '')) {
      show(null)
      return true
    }
    const isLetter = text === '' && !event.metaKey && !event.ctrlKey && !event.altKey
    const wanted = isLetter ? about.actions?.find(({ letter }) => letter === event.key.toUpperCase()) : undefined
    if (wanted) open(wanted, false)
    return wanted !== undefined || event.key === 'Tab'
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (pressAbout(event)) return event.preventDefault()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = (Math.min(chosen, entries.length - 1) + step + entries.length) % Math.max(entries.length, 1)
      setChosen(next)
      document.getElementById(entries[next] ? idOf(entries[next]) : '')?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && current) {
      event.preventDefault()
      open(current, event.metaKey || event.ctrlKey)
    }
  }
  return (
    <>
      <div className={styles.field}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        {about && <span className={styles.about}>{about.label}</span>}
        <input
          className={styles.input}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={press}
          placeholder={t(about?.asks ? 'palette.sure' : about ? 'palette.actionsOf' : 'palette.open')}
          aria-label={t('palette.open')}
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={current ? idOf(current) : undefined}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <kbd className={styles.kbd}>Esc</kbd>
      </div>
      <div id={list} role="listbox" aria-label={t('palette.results')} className={styles.list}>
        {groups.map(({ name, entries: own }) => (
          // biome-ignore lint/a11y/useSemanticElements: options are no fields
          <div key={name} role="group" aria-label={name}>
            <div className={styles.word} aria-hidden="true">
              {name}
            </div>
            {own.map((entry) => (
              <PaletteOption
                key={entry.id}
                id={idOf(entry)}
                entry={entry}
                words={text.trim()}
                selected={entry === current}
                onPress={(event) => open(entry, event.metaKey || event.ctrlKey)}
              />
            ))}
          </div>
        ))}
      </div>
      <Legend />
    </>
  )
}

function Legend() {
  const { t } = useTranslation()
  const keys = [
    ['↑ ↓', t('palette.move')],
    ['↵', t('palette.go')],
    [commandKey('↵'), t('palette.newTab')],
    ['Tab', t('palette.itsActions')],
  ] as const
  return (
    <div className={styles.legend} aria-hidden="true">
      {keys.map(([key, word]) => (
        <span key={key}>
          <kbd className={styles.kbd}>{key}</kbd> {word}
        </span>
      ))}
      <span className={styles.legendEnd}>{t('palette.hint')}</span>
    </div>
  )
}
