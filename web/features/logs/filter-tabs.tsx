import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { Popup } from '#web/components/overlay/popup.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { type Filter, inAddress, noFilter } from './log-filter.ts'
import styles from './logs.module.css'

const addressOf = (filter: Filter): string => {
  const query = new URLSearchParams(inAddress(filter).filter(([, value]) => value !== ''))
  return query.size === 0 ? '/log' : `/log?${query}`
}

/** All, failed, slow, and the filters people keep in their browser. */
export function FilterTabs({ filter }: { filter: Filter }) {
  const { t } = useTranslation()
  const [saved, setSaved] = useState(() => readStored('log_filters') ?? {})
  const change = (next: Record<string, string>) => {
    store('log_filters', next)
    setSaved(next)
  }
  const now = addressOf(filter)
  const tabs: [string, string][] = [
    [t('logs.tabs.all'), '/log'],
    [t('logs.tabs.failed'), addressOf({ ...noFilter, outcome: 'failed' })],
    [t('logs.tabs.slow'), addressOf({ ...noFilter, slow: 'true' })],
    ...Object.entries(saved),
  ]
  const own = Object.entries(saved).find(([, address]) => address === now)?.[0]
  const isNew = tabs.every(([, address]) => address !== now)
  return (
    <nav className={styles.tabs} aria-label={t('logs.filters')}>
      {tabs.map(([name, address]) => (
        <Link key={name} to={address} className={styles.tab} aria-current={address === now ? 'page' : undefined}>
          {name}
        </Link>
      ))}
      {isNew && <SaveFilter onSave={(name) => change({ ...saved, [name]: now })} />}
      {own !== undefined && (
        <button
          type="button"
          className={styles.tab}
          onClick={() => change(Object.fromEntries(Object.entries(saved).filter(([name]) => name !== own)))}
        >
          {t('logs.tabs.forget')}
        </button>
      )}
    </nav>
  )
}

function SaveFilter({ onSave }: { onSave: (name: string) => void }) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const target = (
    <button type="button" className={styles.tab}>
      {t('logs.tabs.save')}
    </button>
  )
  return (
    <Popup target={target} label={t('logs.tabs.save')} position="bottom-start">
      {(close) => (
        <form
          className={styles.saveFilter}
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== '') onSave(name.trim())
            close()
          }}
        >
          <TextInput
            label={t('logs.tabs.name')}
            maxLength={30}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit">{t('logs.tabs.save')}</Button>
        </form>
      )}
    </Popup>
  )
}
