interface Props {
  /** From the bottom of the stack upwards. */
  readonly from: readonly { key: string; y: number; color: string }[]
  readonly left: number
  readonly right: number
  readonly height: number
  /** Whether a second line stands under the total. */
  readonly second: boolean
}

const labelHeight = 22
/** The lines with the totals stand above the names, that with a note below them. */
const headHeight = 26
const secondHeight = 20
const noteHeight = 20

/** Joins the last bar's segments with their names at the right; tracks turn at 45°. */
export function Tracks({ from, left, right, height, second }: Props) {
  const head = headHeight + (second ? secondHeight : 0)
  const above = Math.max(0, (height - head - from.length * labelHeight - noteHeight) / 2)
  return (
    <g fill="none" strokeWidth="1.25">
      {from.map(({ key, y, color }, index) => {
        const target = above + head + (from.length - 1 - index) * labelHeight + labelHeight / 2
        const climb = Math.abs(target - y)
        const bend = Math.min(climb, Math.max(0, right - left - 8))
        const start = left + 4 + ((index * 5) % 12)
        return (
          <path
            key={key}
            stroke={color}
            d={`M${left} ${y}H${start}L${Math.min(start + bend, right - 6)} ${target}H${right}`}
          />
        )
      })}
    </g>
  )
}
