import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from '#web/lib/i18n.ts'
import { commandKey } from '#web/lib/keys.ts'
import styles from './shell.module.css'

/** Opens the palette: a field on a wide screen, a magnifier on a narrow one. */
export function SearchButton({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation()
  // A narrow screen shows no words.
  const name = `${t('palette.open')} ${commandKey('K')}`
  return (
    <UnstyledButton className={styles.search} onClick={onPress} aria-label={name} aria-haspopup="dialog">
      <IconSearch size={16} stroke={1.6} aria-hidden />
      <span className={styles.searchWords}>{t('palette.open')}</span>
      <kbd className={styles.kbd}>{commandKey('K')}</kbd>
    </UnstyledButton>
  )
}
