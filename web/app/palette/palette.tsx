import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import { commandKey } from '#web/lib/keys.ts'
import styles from './palette.module.css'
import { type Entry, type EntryGroup, useActionEntries, usePageEntries } from './palette-entries.ts'
import { atMostTen, bestFirst } from './rank.ts'
import { recentPaths } from './recent-pages.ts'
import { useFoundThings } from './use-found-things.ts'
import { usePageActions } from './use-page-actions.ts'

const holds = (words: string) => (entry: Entry) => entry.label.toLowerCase().includes(words.toLowerCase())

/** Without words: the pages visited last, then what can be done on this one. Who has just come is shown where to go. */
function useStart(pages: readonly Entry[]): EntryGroup[] {
  const { t } = useTranslation()
  const recent = recentPaths().flatMap((path) => pages.find(({ to }) => to === path) ?? [])
  return [
    recent.length > 0 ? { name: t('palette.recent'), entries: recent } : { name: t('palette.pages'), entries: pages },
    { name: t('palette.here'), entries: usePageActions() },
  ]
}

/** Pages, things and actions for the words typed; the log is searched where nothing has the name. */
function useResults(words: string): EntryGroup[] {
  const { t } = useTranslation()
  const pages = usePageEntries()
  const start = useStart(pages)
  const actions = useActionEntries().filter(holds(words))
  const { groups, doing, searching } = useFoundThings(words)
  if (words === '') return atMostTen(start)
  const things = bestFirst([{ name: t('palette.pages'), entries: pages.filter(holds(words)) }, ...groups], words)
  const [first, ...others] = doing
  const found = atMostTen(
    [...things, { name: t('palette.do'), entries: [...(first?.entries ?? []), ...actions] }, ...others].filter(
      ({ entries }) => entries.length > 0,
    ),
  )
  if (found.length > 0 || searching) return found
  const to = `/log?token_name=${encodeURIComponent(words)}`
  return [
    {
      name: t('palette.none', { words }),
      entries: [{ id: 'log', label: t('palette.searchLog', { words }), to }],
    },
  ]
}

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
              <Option
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

interface OptionProps {
  id: string
  entry: Entry
  words: string
  selected: boolean
  onPress: (event: MouseEvent) => void
}

function Option({ id, entry: { label, hint, keys, letter }, words, selected, onPress }: OptionProps) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div id={id} role="option" aria-selected={selected} className={styles.option} onClick={onPress}>
      <span className="ellipsis">
        <Marked label={label} words={words} />
      </span>
      {hint && <span className={styles.hint}>{hint}</span>}
      {(keys ?? letter) ? (
        <span className={styles.keys}>{keys ?? letter}</span>
      ) : (
        selected && (
          <span className={styles.keys} aria-hidden="true">
            ↵ {t('palette.go')}
          </span>
        )
      )}
    </div>
  )
}

/** The words typed, underlined where they stand in the name. */
function Marked({ label, words }: { label: string; words: string }) {
  const at = words === '' ? -1 : label.toLowerCase().indexOf(words.toLowerCase())
  if (at < 0) return label
  return (
    <>
      {label.slice(0, at)}
      <mark className={styles.mark}>{label.slice(at, at + words.length)}</mark>
      {label.slice(at + words.length)}
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
