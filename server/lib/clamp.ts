/** `value` moved into the range; undefined stays undefined. */
export function clamp(value: number | undefined, low: number, high: number): number | undefined {
  return value === undefined ? undefined : Math.min(high, Math.max(low, value))
}
