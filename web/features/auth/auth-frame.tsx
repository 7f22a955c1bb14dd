import type { ReactNode } from 'react'
import { Brand } from '#web/components/identity/brand.tsx'
import { LanguageMenu } from '#web/components/identity/language-menu.tsx'
import { ThemeMenu } from '#web/components/identity/theme-menu.tsx'
import { YardDrawing } from '#web/components/identity/yard-drawing.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './auth.module.css'

interface Props {
  title: string
  /** The line under the title. */
  lead?: ReactNode
  children: ReactNode
}

/** Half drawing, half a form without a box; on a phone the form alone. */
export function AuthFrame({ title, lead, children }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles.frame}>
      <div className={styles.yard}>
        <YardDrawing className={styles.drawing} />
        <Brand size={22} />
        <p className={styles.tagline}>{t('auth.tagline')}</p>
      </div>
      <div className={styles.side}>
        <div className={styles.tools}>
          <div className={styles.phoneBrand}>
            <Brand />
          </div>
          <LanguageMenu />
          <ThemeMenu />
        </div>
        <div className={styles.box}>
          <h1 className={styles.title}>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
          {children}
        </div>
      </div>
    </div>
  )
}
