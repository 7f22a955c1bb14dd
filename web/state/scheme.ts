import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import type { Status } from '#shared/api/status.ts'
import { readStored } from '#web/lib/storage.ts'

export function chosenScheme(): MantineColorScheme | undefined {
  const stored = readStored('theme')
  return stored === 'light' || stored === 'dark' || stored === 'auto' ? stored : undefined
}

export const siteScheme = (theme: Status['theme']): MantineColorScheme => (theme === 'default' ? 'auto' : theme)

/** The visitor's own choice first, then the operator's, then the system's. Only the theme menu stores a choice. */
export const schemeManager: MantineColorSchemeManager = {
  get: () => chosenScheme() ?? siteScheme(readStored('status')?.theme ?? 'default'),
  set: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => undefined,
}

const shownAs = 'data-mantine-color-scheme'

/** Paper is white: on it the letters of the dark theme would be pale. */
export function printInLight(): void {
  const page = document.documentElement
  let shown = page.getAttribute(shownAs)
  window.addEventListener('beforeprint', () => {
    shown = page.getAttribute(shownAs)
    page.setAttribute(shownAs, 'light')
  })
  window.addEventListener('afterprint', () => {
    if (shown !== null) page.setAttribute(shownAs, shown)
  })
}
