export type Dice = (sides: number) => number

/** The same numbers in every run. */
export function createDice(seed: number): Dice {
  let state = seed
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647
    return state % sides
  }
}
