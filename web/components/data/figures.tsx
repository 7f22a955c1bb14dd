import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './figures.module.css'

/** A line of figures between two hairlines. */
export function FiguresLine({ children }: { children: ReactNode }) {
  return <dl className={styles.figures}>{children}</dl>
}

/** As high as the line will be: in two columns on a narrow page. */
export function FiguresWaiting({ count }: { count: number }) {
  return <Skeleton className={styles.waiting} style={{ ['--figure-rows' as string]: Math.ceil(count / 2) }} />
}

export function Figure({ label, value, below }: { label: string; value: ReactNode; below?: ReactNode }) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      <dd className={styles.below}>{below}</dd>
    </div>
  )
}
