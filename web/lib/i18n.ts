import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { en } from '#web/locales/en.ts'
import { english, isLanguage, type LanguageCode, languages } from '#web/locales/languages.ts'
import type { Locale } from '#web/locales/locale.ts'
import { readStored, store } from './storage.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en }
  }
}

function preferredLanguage(): LanguageCode {
  const stored = readStored('language') ?? ''
  if (isLanguage(stored)) return stored
  const [asked = ''] = navigator.language.toLowerCase().split('-')
  return isLanguage(asked) ? asked : 'en'
}

export const i18n = createInstance()

let shown: Locale = english

/** The locale on the screen. */
export const locale = (): Locale => shown

async function show(code: LanguageCode): Promise<void> {
  const next = await languages[code].load()
  i18n.addResourceBundle(code, 'translation', next.words)
  shown = next
  await i18n.changeLanguage(code)
  document.documentElement.lang = languages[code].tag
}

export async function changeLanguage(code: LanguageCode): Promise<void> {
  await show(code)
  store('language', code)
}

export async function startLanguage(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: english.words } },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  await show(preferredLanguage()).catch(() => undefined)
}
