/** Something that stands in a roster at a time. */
export interface Listed {
  /** Its place; -1 when it stands in none. */
  place: number
}

/**
 * A list in no order, for what comes and goes with every request. Adding and removing cost the same however long it is, and unlike
 * a `Set`, which keeps the places of those who left for a while, it holds on to nobody.
 */
export type Roster<Item extends Listed> = Item[]

export function enlist<Item extends Listed>(roster: Roster<Item>, item: Item): void {
  item.place = roster.push(item) - 1
}

/** The last takes the place that becomes free. */
export function strike(roster: Roster<Listed>, item: Listed): void {
  if (item.place < 0) return
  const last = roster.pop()
  if (last && last !== item) {
    roster[item.place] = last
    last.place = item.place
  }
  item.place = -1
}
