import type { RouteCandidate } from '#shared/api/routing.ts'
import styles from './routing.module.css'

const rowHeight = 40
const headHeight = 32
const joint = 96
const width = 168
const widest = 4

/** The lower edge of every band's heading takes a row of its own, like in the table. */
function heightsOf(candidates: readonly RouteCandidate[]): { middles: number[]; height: number } {
  const middles: number[] = []
  let y = headHeight
  let band = ''
  for (const { state } of candidates) {
    if (state !== band) {
      band = state
      y += rowHeight
    }
    middles.push(y + rowHeight / 2)
    y += rowHeight
  }
  return { middles, height: y }
}

/** From the trunk to a row: a turn of 45°, then straight. */
function pathTo(trunk: number, y: number, isJoined: boolean): string {
  const rise = Math.min(Math.abs(y - trunk), width - joint - 24)
  const turn = joint + rise
  if (!isJoined) return `M${turn + 8} ${y}H${width - 8}`
  const bend = y < trunk ? y + rise : y - rise
  return `M${joint} ${trunk}V${bend}L${turn} ${y}H${width - 8}`
}

/** Lit for those that are asked first, joined for those in reserve, short of the joint for those that are out. */
export function Tracks({ candidates }: { candidates: readonly RouteCandidate[] }) {
  const { middles, height } = heightsOf(candidates)
  const trunk = middles[0] ?? rowHeight
  const isLit = candidates.some(({ state }) => state === 'first')
  return (
    <svg className={styles.tracks} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className={isLit ? styles.lit : styles.unlit} d={`M0 ${trunk}H${joint}`} strokeWidth={widest} />
      {candidates.map(({ channel_id, state, probability }, at) => {
        const y = middles[at] ?? 0
        const lit = state === 'first'
        return (
          <g key={channel_id} className={lit ? styles.lit : styles.unlit}>
            <path d={pathTo(trunk, y, state !== 'out')} strokeWidth={lit ? 2 + 2 * probability : 2} />
            <rect x={width - 8} y={y - 4} width="8" height="8" />
          </g>
        )
      })}
    </svg>
  )
}
