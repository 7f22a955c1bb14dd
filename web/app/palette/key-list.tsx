import { Checkbox, Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { commandKey } from '#web/lib/keys.ts'
import { readStored, store } from '#web/lib/storage.ts'
import styles from './palette.module.css'
import { usePageEntries } from './palette-entries.ts'

/** Every shortcut, and whether single letters are heeded. */
export function KeyList({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [letters, setLetters] = useState(() => readStored('single_keys') ?? true)
  const pages = usePageEntries().flatMap(({ keys, label }) => (keys === undefined ? [] : [[keys, label] as const]))
  const keys = [
    [commandKey('K'), t('palette.open')],
    ['/', t('palette.searchPage')],
    ['?', t('palette.allKeys')],
    ...pages,
    ['J K ↓ ↑', t('palette.rows')],
    ['Enter', t('palette.openRow')],
    ['X', t('palette.tick')],
    ['Shift X', t('palette.tickRange')],
    ['P', t('palette.pause')],
    [commandKey('Enter'), t('palette.send')],
    ['Esc', t('palette.leave')],
  ]
  const change = (on: boolean) => {
    setLetters(on)
    store('single_keys', on)
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('palette.allKeys')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <dl className={styles.keyList}>
        {keys.map(([key, word]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <kbd className={styles.kbd}>{key}</kbd>
            </dt>
            <dd>{word}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label={t('palette.letters')}
        checked={letters}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    </Modal>
  )
}
