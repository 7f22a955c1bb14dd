import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './palette.module.css'
import { type Entry, type EntryGroup, useActionEntries, usePageEntries } from './palette-entries.ts'
import { recentPaths } from './recent-pages.ts'
import { useFoundThings } from './use-found-things.ts'

const holds = (words: string) => (entry: Entry) => entry.label.toLowerCase().includes(words.toLowerCase())

/** Pages, things and actions for the words typed; the log is searched where nothing has the name. */
function useResults(words: string): EntryGroup[] {
  const { t } = useTranslation()
  const all = usePageEntries()
  const pages = all.filter(holds(words))
  const recent = words === '' ? recentPaths().flatMap((path) => all.find(({ to }) => to === path) ?? []) : []
  const actions = useActionEntries().filter(holds(words))
  const { groups, searching } = useFoundThings(words)
  const found = [
    { name: t('palette.recent'), entries: recent.map((entry) => ({ ...entry, id: `recent ${entry.id}` })) },
    { name: t('palette.pages'), entries: pages.filter(({ to }) => !recent.some((entry) => entry.to === to)) },
    ...groups,
    { name: t('palette.do'), entries: actions },
  ].filter(({ entries }) => entries.length > 0)
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
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      size={640}
      yOffset={104}
      centered={false}
      padding={0}
      transitionProps={{ duration: 0 }}
      classNames={{ content: styles.content, body: styles.body }}
    >
      <PaletteBody onClose={onClose} />
    </Modal>
  )
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const list = useId()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const groups = useResults(text.trim())
  const entries = groups.flatMap((group) => group.entries)
  const current = entries[Math.min(chosen, entries.length - 1)]
  const idOf = (entry: Entry) => `${list}-${entry.id}`.replaceAll(/[\s/]/g, '-')
  const open = (entry: Entry, newTab: boolean) => {
    onClose()
    if (entry.to !== undefined && newTab) window.open(entry.to, '_blank', 'noopener')
    else if (entry.to !== undefined) void navigate(entry.to)
    else void entry.run?.()
  }
  const press = (event: KeyboardEvent) => {
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
        <input
          className={styles.input}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={press}
          placeholder={t('palette.open')}
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

function Option({ id, entry: { label, hint, keys }, words, selected, onPress }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div id={id} role="option" aria-selected={selected} className={styles.option} onClick={onPress}>
      <span className="ellipsis">
        <Marked label={label} words={words} />
      </span>
      {hint && <span className={styles.hint}>{hint}</span>}
      {keys && <span className={styles.keys}>{keys}</span>}
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
    ['Ctrl ↵', t('palette.newTab')],
    ['?', t('palette.allKeys')],
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
