/** Chance that can be repeated: the same seed throws the same. */
export interface Dice {
  /** From 0 up to, not including, `sides`. */
  roll(sides: number): number
  pick<Item>(items: readonly Item[]): Item
  chance(share: number): boolean
  text(length: number): string
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const roll = (sides: number) => Math.floor(next() * sides)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[roll(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  return {
    roll,
    pick,
    chance: (share) => next() < share,
    text: (length) =>
      Array.from({ length }, () => String.fromCharCode(roll(3) === 0 ? roll(0xd7ff) : 32 + roll(95))).join(''),
  }
}

/** Values that programs trip over. */
export const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  1.5,
  '',
  ' ',
  '\u0000',
  'constructor',
  '__proto__',
  '💥',
  '\ud800',
  [],
  {},
  [[]],
  [null],
  { a: {} },
  2 ** 53,
  -0,
  'x'.repeat(5000),
  ['x', 1, null],
  { type: 'text' },
  { constructor: 1 },
  '%00',
  "' or 1=1 --",
  '-1',
  'NaN',
]

/** The text with something in it broken: cut, doubled, replaced or nested. */
export function mutated(dice: Dice, text: string): string {
  const at = dice.roll(text.length + 1)
  const length = dice.roll(Math.max(1, Math.min(40, text.length - at)))
  switch (dice.roll(7)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + length)
    case 2:
      return text.slice(0, at) + text.slice(at, at + length).repeat(1 + dice.roll(20)) + text.slice(at + length)
    case 3:
      return text.slice(0, at) + dice.text(length) + text.slice(at + length)
    case 4:
      return text.slice(0, at) + JSON.stringify(dice.pick(oddValues)) + text.slice(at + length)
    case 5:
      return text.slice(0, at) + '['.repeat(1 + dice.roll(400)) + text.slice(at)
    default:
      return text.replace(/"[^"]*":/, (key) => key + key)
  }
}

/** The value with one of its parts replaced by something odd. */
export function distorted(dice: Dice, value: unknown): unknown {
  if (dice.chance(0.15) || typeof value !== 'object' || value === null) return dice.pick(oddValues)
  const keys = Object.keys(value)
  const key = keys[dice.roll(Math.max(1, keys.length))]
  if (key === undefined) return dice.pick(oddValues)
  if (Array.isArray(value)) return value.map((entry, at) => (String(at) === key ? distorted(dice, entry) : entry))
  return { ...value, [key]: distorted(dice, (value as Record<string, unknown>)[key]) }
}
