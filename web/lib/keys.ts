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

export function restFocus(): void {
  const place = restingPlace()
  if (!place) return
  place.tabIndex = -1
  place.focus()
}

/** For what goes away with what it did: the focus is left to nobody then. */
export function restLostFocus(): void {
  if (document.activeElement === document.body) restFocus()
}
