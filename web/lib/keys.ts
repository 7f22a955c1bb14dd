/** On a Mac shortcuts go with the command key, elsewhere with Control. */
const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform)

export const commandKey = (letter: string): string => (isMac() ? `⌘${letter}` : `Ctrl ${letter}`)

/** What opens a row of a table: its name, or what unfolds it. */
export const rowOpeners = '[data-opens], [aria-expanded]:not([aria-haspopup])'

/** Whether a key press belongs to the field it happened in. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
