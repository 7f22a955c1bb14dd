import { useSyncExternalStore } from 'react'
import { english } from '#web/locales/english.ts'
import { englishLocale, isLanguage, type LanguageCode, languages } from '#web/locales/languages.ts'
import type { Locale } from '#web/locales/locale.ts'
import { readStored, store } from './storage.ts'
import { type TFunction, translator } from './translate.ts'

export type { TFunction } from './translate.ts'

interface Shown {
  readonly language: LanguageCode
  readonly locale: Locale
  readonly t: TFunction
}

let shown: Shown = { language: 'en', locale: englishLocale, t: translator(english, english, 'en') }
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The locale on the screen. */
export const locale = (): Locale => shown.locale

/** For texts outside of components, which do not change with the language once they are said. */
export const translateNow: TFunction = ((key: never, params: never) => shown.t(key, params)) as TFunction

export function useTranslation(): { t: TFunction; language: LanguageCode } {
  return useSyncExternalStore(subscribe, () => shown)
}

async function show(language: LanguageCode): Promise<void> {
  const { tag, load } = languages[language]
  const next = await load()
  shown = { language, locale: next, t: translator(next.words, english, tag) }
  document.documentElement.lang = tag
  for (const listener of listeners) listener()
}

export async function changeLanguage(language: LanguageCode): Promise<void> {
  await show(language)
  store('language', language)
}

function preferredLanguage(): LanguageCode {
  const stored = readStored('language') ?? ''
  if (isLanguage(stored)) return stored
  const [asked = ''] = navigator.language.toLowerCase().split('-')
  return isLanguage(asked) ? asked : 'en'
}

/** Shows the visitor's language; English where it cannot be had. */
export const startLanguage = (): Promise<void> => show(preferredLanguage()).catch(() => undefined)
