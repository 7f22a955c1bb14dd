import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { store } from '#web/lib/storage.ts'

/** What each scheme is called. */
export const schemeWords = { light: 'shell.light', dark: 'shell.dark', auto: 'shell.system' } as const

/** Shows a scheme and keeps it as the visitor's own choice. */
export function useChooseScheme(): (scheme: MantineColorScheme) => void {
  const { setColorScheme } = useMantineColorScheme()
  return (scheme) => {
    store('theme', scheme)
    setColorScheme(scheme)
  }
}
