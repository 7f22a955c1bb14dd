/** On a Mac shortcuts go with the command key, elsewhere with Control. */
const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform)

export const commandKey = (letter: string): string => (isMac() ? `⌘${letter}` : `Ctrl ${letter}`)

/** What opens a row of a table: its name, or what unfolds it. */
export const rowOpeners = '[data-opens], [aria-expanded]:not([aria-haspopup])'

/** Whether a key press belongs to the field it happened in. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Where the focus rests: the title of the panel that is open, else that of the page. */
const places = ['#main aside h2[tabindex="-1"]', '#main h1']

function restingPlace(): HTMLElement | undefined {
  return places.flatMap((place) => document.querySelector<HTMLElement>(place) ?? [])[0]
}

function restOn(place: HTMLElement | undefined): void {
  if (!place) return
  place.tabIndex = -1
  place.focus()
}

export const restFocus = (): void => restOn(restingPlace())

const isFocusLost = (): boolean => document.activeElement === document.body

/** For a control that disappears by its own action: the focus it loses goes to a neighbour that is still there. */
export function restLostFocus(near?: HTMLElement): void {
  if (isFocusLost()) restOn(near)
  if (isFocusLost()) restFocus()
}

/** Remembers where an element stands beside others; answers what stands there by then, or the last of them. */
function placeOf(element: Element): () => HTMLElement | undefined {
  const parent = element.parentElement
  const at = [...(parent?.children ?? [])].indexOf(element)
  return () => [...(parent?.isConnected ? parent.children : [])].slice(0, at + 1).at(-1) as HTMLElement | undefined
}

/** The same for the row an element is in. */
export function placeOfRow(element: Element): () => HTMLElement | undefined {
  const row = element.closest('#main tbody tr')
  return row ? placeOf(row) : () => undefined
}

/** For something that is about to go away and may hold the focus: it passes to what stands in its place. */
export function handFocusOn(leaving: Element): void {
  if (!leaving.contains(document.activeElement)) return
  const place = placeOf(leaving)
  setTimeout(() => {
    const next = place()
    if (!next || !isFocusLost()) return
    const first = next.querySelector<HTMLElement>('[data-autofocus]')
    if (first) first.focus()
    else restOn(next)
  })
}
