import styles from './overview.module.css'

const heights = [52, 60, 54, 66, 61, 26, 20, 55, 63, 68, 60, 57, 25, 27]

/** The frame at once, grey bars when it takes longer; nothing moves. */
export function WaitingChart() {
  return (
    <div className={styles.waiting} aria-hidden="true">
      {heights.map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <i key={at} style={{ height: `${height}%` }} />
      ))}
    </div>
  )
}
