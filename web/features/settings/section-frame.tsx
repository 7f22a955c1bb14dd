import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './settings.module.css'
import { useCurrentSection } from './use-current-section.ts'
import { useHashScroll } from './use-hash-scroll.ts'

export interface FramedSection {
  id: string
  title: string
  hint: string
  /** How many of its options have been changed. */
  edited?: number
  content: ReactNode
}

/** Sections one below the other, with an index at their left that follows the scroll. */
export function SectionFrame({ sections }: { sections: readonly FramedSection[] }) {
  const { t } = useTranslation()
  const { search } = useLocation()
  useHashScroll()
  const current = useCurrentSection(sections.map(({ id }) => id))
  return (
    <div className={styles.frame}>
      <nav className={styles.index} aria-label={t('settings.sections')}>
        {sections.map(({ id, title, edited = 0 }) => (
          <Link
            key={id}
            to={{ search, hash: id }}
            replace
            className={styles.entry}
            aria-current={id === current ? 'location' : undefined}
          >
            {title}
            {edited > 0 && <span className={styles.edited}>{t('settings.edited', { count: edited })}</span>}
          </Link>
        ))}
      </nav>
      <div className={styles.sections}>
        {sections.map(({ id, title, hint, content }) => (
          <section key={id} id={id} className={styles.section} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`} className={styles.heading}>
              {title}
            </h2>
            <p className={styles.hint}>{hint}</p>
            {content}
          </section>
        ))}
      </div>
    </div>
  )
}
