import type { RouteCandidate } from '#shared/api/routing.ts'
import { formatShare } from '#web/lib/usd.ts'
import styles from './routing.module.css'

const rowHeight = 40
const headHeight = 32
const width = 384
const joint = 262
const square = 8
const widest = 4
const stub = 16

/** Where the rows stand: every band has a row for its heading, like in the table. */
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

/** The height of the trunk: amid those that are asked first. */
export function trunkOf(candidates: readonly RouteCandidate[]): number {
  const { middles } = heightsOf(candidates)
  const first = middles.filter((_, at) => candidates[at]?.state === 'first')
  const [begin = headHeight + rowHeight * 1.5, end = begin] = [first[0] ?? middles[0], first.at(-1) ?? middles[0]]
  return Math.max((begin + end) / 2, headHeight + rowHeight * 1.5)
}

/** From the trunk to a row: a turn of 45°, then straight. */
function pathTo(trunk: number, y: number): string {
  const rise = Math.min(Math.abs(y - trunk), width - joint - 40)
  const bend = y < trunk ? y + rise : y - rise
  return `M${joint} ${trunk}V${bend}L${joint + rise} ${y}H${width - square}`
}

const strokeOf = ({ state, probability }: RouteCandidate): number => (state === 'first' ? 2 + 2 * probability : 2)

/** Lit for those that are asked first, joined for those in reserve, short of the joint for those that are out. */
export function WideTracks({ candidates }: { candidates: readonly RouteCandidate[] }) {
  const { middles, height } = heightsOf(candidates)
  const trunk = trunkOf(candidates)
  const isLit = candidates.some(({ state }) => state === 'first')
  return (
    <svg className={styles.tracks} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {candidates.map((candidate, at) => {
        const y = middles[at] ?? 0
        const lit = candidate.state === 'first'
        const d =
          candidate.state === 'out'
            ? `M${width - 76 - stub} ${y - stub}l${stub} ${stub}H${width - square}`
            : pathTo(trunk, y)
        return (
          <g key={candidate.channel_id} className={lit ? styles.lit : styles.unlit} data-state={candidate.state}>
            <path d={d} strokeWidth={strokeOf(candidate)} />
            <rect x={width - square - 1} y={y - square / 2} width={square} height={square} />
            {lit && (
              <text x={width - 96} y={y + (y > trunk ? 16 : -8)}>
                {formatShare(candidate.probability)}
              </text>
            )}
          </g>
        )
      })}
      <path className={isLit ? styles.lit : styles.unlit} d={`M0 ${trunk}H${joint + 1}`} strokeWidth={widest} />
    </svg>
  )
}

const narrowWidth = 32
const edge = 4
const turn = 12

/** The same turned: the trunk runs down the left edge. */
export function NarrowTracks({ candidates }: { candidates: readonly RouteCandidate[] }) {
  const { middles, height } = heightsOf(candidates)
  const last = middles.filter((_, at) => candidates[at]?.state !== 'out').at(-1)
  const lastLit = middles.filter((_, at) => candidates[at]?.state === 'first').at(-1)
  return (
    <svg
      className={styles.tracks}
      width={narrowWidth}
      height={height}
      viewBox={`0 0 ${narrowWidth} ${height}`}
      aria-hidden="true"
    >
      {last !== undefined && <path className={styles.unlit} d={`M${edge} 0V${last - turn}`} strokeWidth={2} />}
      {lastLit !== undefined && (
        <path className={styles.lit} d={`M${edge} 0V${lastLit - turn}`} strokeWidth={widest - 1} />
      )}
      {candidates.map((candidate, at) => {
        const y = middles[at] ?? 0
        const from = candidate.state === 'out' ? edge + turn / 2 : edge
        const d = `M${from} ${y - (edge + turn - from)}L${edge + turn} ${y}H${narrowWidth - square}`
        return (
          <g
            key={candidate.channel_id}
            className={candidate.state === 'first' ? styles.lit : styles.unlit}
            data-state={candidate.state}
          >
            <path d={d} strokeWidth={strokeOf(candidate)} />
            <rect x={narrowWidth - square - 1} y={y - square / 2} width={square} height={square} />
          </g>
        )
      })}
    </svg>
  )
}
