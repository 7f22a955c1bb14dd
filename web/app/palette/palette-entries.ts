import { useMantineColorScheme } from '@mantine/core'
import { useNavItems } from '#web/app/navigation/nav-items.ts'
import { useChooseScheme } from '#web/components/identity/scheme-choices.ts'
import { changeLanguage, useTranslation } from '#web/lib/i18n.ts'
import { type LanguageCode, languages } from '#web/locales/languages.ts'
import { useUser } from '#web/state/session.tsx'
import { useSignOut } from '../use-sign-out.ts'

/** Something the palette can do: go to an address, or run an action. */
export interface Entry {
  readonly id: string
  readonly label: string
  /** What distinguishes it from others of the same name. */
  readonly hint?: string
  readonly to?: string
  readonly run?: () => unknown
  /** The shortcut that does the same. */
  readonly keys?: string
  /** The letter that runs it where the actions of one thing are listed. */
  readonly letter?: string
  /** What can be done with it. */
  readonly actions?: readonly Entry[]
  /** Its actions are the question whether it is meant. */
  readonly asks?: true
}

export interface EntryGroup {
  readonly name: string
  readonly entries: readonly Entry[]
}

/** Letters after G. A page without one is reached by its name. */
export const goLetters: Readonly<Record<string, string>> = {
  o: '/',
  p: '/playground',
  m: '/model',
  t: '/token',
  l: '/log',
  c: '/channel',
  r: '/routing',
  h: '/history',
}

const letterOf = (path: string): string | undefined =>
  Object.entries(goLetters)
    .find(([, target]) => target === path)?.[0]
    ?.toUpperCase()

/** The pages this person can reach. */
export function usePageEntries(): Entry[] {
  const { t } = useTranslation()
  return useNavItems().flatMap(({ items }) =>
    items.map(({ page, name }) => {
      const letter = letterOf(page.path)
      return {
        id: `page ${page.path}`,
        label: t(`pages.${name}`),
        to: page.path,
        ...(letter === undefined ? {} : { keys: `G ${letter}` }),
      }
    }),
  )
}

const codes = Object.keys(languages) as LanguageCode[]

/** What can be done from anywhere. */
export function useActionEntries(): Entry[] {
  const { t, language } = useTranslation()
  const { isAdmin } = useUser()
  const { colorScheme } = useMantineColorScheme()
  const choose = useChooseScheme()
  const signOut = useSignOut()
  const scheme = colorScheme === 'dark' ? 'light' : 'dark'
  const adding = (name: 'tokenAdd' | 'channelAdd' | 'userAdd' | 'redemptionAdd', to: string): Entry => ({
    id: `do ${name}`,
    label: t(`pages.${name}`),
    to,
  })
  return [
    adding('tokenAdd', '/token/add'),
    ...(isAdmin
      ? [
          adding('channelAdd', '/channel/add'),
          adding('userAdd', '/user/add'),
          adding('redemptionAdd', '/redemption/add'),
        ]
      : []),
    { id: 'do profile', label: t('pages.profile'), to: '/user/edit' },
    { id: 'do theme', label: t(scheme === 'dark' ? 'palette.dark' : 'palette.light'), run: () => choose(scheme) },
    ...codes
      .filter((code) => code !== language)
      .map((code) => ({
        id: `do ${code}`,
        label: t('palette.language', { name: languages[code].name }),
        run: () => changeLanguage(code),
      })),
    { id: 'do leave', label: t('shell.signOut'), run: signOut },
  ]
}
