import { rowOpeners } from '#web/lib/keys.ts'

const steps: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

/** Rows of the page's tables that can be seen and hold something. */
const shownRows = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('#main table:not([aria-busy="true"]) tbody tr')].filter(
    (row) => row.querySelector('td') !== null && row.offsetParent !== null,
  )

/** What Enter does in a row: what its name opens, else its form. */
const openerOf = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>(rowOpeners) ?? row.querySelector<HTMLElement>('a[href*="/edit/"]')

function goBy(step: number, row: HTMLElement | null): boolean {
  const rows = shownRows()
  // From a button in the last row there is no further one, but the row itself.
  const next = rows[row ? rows.indexOf(row) + step : step > 0 ? 0 : rows.length - 1] ?? row
  if (!next) return false
  next.tabIndex = -1
  next.focus()
  return true
}

function tick(row: HTMLElement, shiftKey: boolean): boolean {
  const box = row.querySelector('[data-column="select"] input')
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }))
  return box !== null
}

/** J and K, or the arrows once a row has the focus, go from row to row; Enter opens, X ticks, Shift X ticks up to here. */
export function pressInRows({ key, shiftKey }: KeyboardEvent): boolean {
  const focused = document.activeElement
  const row = focused?.closest<HTMLElement>('#main tbody tr') ?? null
  const step = steps[key]
  if (step !== undefined) return (key.length === 1 || row === focused) && goBy(step, row)
  if (!row) return false
  if (key === 'Enter' && row === focused) {
    const opener = openerOf(row)
    opener?.click()
    return opener !== null
  }
  return key.toLowerCase() === 'x' && tick(row, shiftKey)
}
