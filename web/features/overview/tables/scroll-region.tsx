import type { ReactNode } from 'react'
import styles from '#web/features/overview/overview.module.css'

interface Props {
  label: string
  /** As high as what it holds: only its width may be larger than its place. */
  whole?: boolean
  children: ReactNode
}

/** A table larger than its place: it scrolls, by keyboard too. */
export function ScrollRegion({ label, whole, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} data-whole={whole} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
