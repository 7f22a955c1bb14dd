import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from '#web/lib/i18n.ts'
import { commandKey } from '#web/lib/keys.ts'
import styles from './palette.module.css'
import { PaletteOption } from './palette-option.tsx'
import { usePalette } from './use-palette.ts'

interface Props {
  opened: boolean
  /** What was typed before the field could take it. */
  typed: string
  onClose: () => void
}

/** Goes anywhere and does most things from the keyboard. */
export function Palette({ opened, typed, onClose }: Props) {
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
          <PaletteBody typed={typed} onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function PaletteBody({ typed, onClose }: Pick<Props, 'typed' | 'onClose'>) {
  const { t } = useTranslation()
  const { list, text, type, about, groups, current, idOf, open, press } = usePalette(typed, onClose)
  return (
    <>
      <div className={styles.field}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        {about && <span className={styles.about}>{about.label}</span>}
        <input
          className={styles.input}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
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
