/** An item of at most one list at a time. */
export interface Listed {
  /** Its index in the list; -1 when it is in none. */
  place: number
}

/**
 * A list for items that come and go with every request. Adding and removing take constant time, and unlike a `Set`, which
 * reuses the slots of deleted items late, it keeps no memory for them.
 */
export type UnorderedList<Item extends Listed> = Item[]

export function addToList<Item extends Listed>(list: UnorderedList<Item>, item: Item): void {
  item.place = list.push(item) - 1
}

/** The last item moves into the free place. */
export function removeFromList(list: UnorderedList<Listed>, item: Listed): void {
  if (item.place < 0) return
  const last = list.pop()
  if (last && last !== item) {
    list[item.place] = last
    last.place = item.place
  }
  item.place = -1
}
