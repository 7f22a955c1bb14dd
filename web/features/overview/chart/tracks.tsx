interface Props {
  /** From the bottom of the stack upwards. */
  readonly from: readonly { key: string; y: number; color: string }[]
  readonly left: number
  readonly right: number
  readonly height: number
}

export const labelHeight = 22
/** The line with the total stands above the names. */
export const headHeight = 30

/** Joins the last bar's segments with their names at the right; tracks turn at 45°. */
export function Tracks({ from, left, right, height }: Props) {
  const listHeight = headHeight + from.length * labelHeight
  const above = Math.max(0, (height - listHeight) / 2)
  return (
    <g fill="none" strokeWidth="1.25">
      {from.map(({ key, y, color }, index) => {
        const target = above + headHeight + (from.length - 1 - index) * labelHeight + labelHeight / 2
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
