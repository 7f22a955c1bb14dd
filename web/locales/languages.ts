import { english } from './english.ts'
import type { Locale } from './locale.ts'

export const englishLocale: Locale = {
  words: english,
  errors: {},
  faults: {},
  logEvents: {},
  fieldNames: {},
  options: {},
  channelTypes: {},
}

interface Language {
  readonly name: string
  /** As the document names it. */
  readonly tag: string
  readonly load: () => Promise<Locale>
}

/** Every language of the console. Adding one is a file like `zh.ts` and a line here. */
export const languages = {
  en: { name: 'English', tag: 'en', load: async () => englishLocale },
  zh: { name: '中文', tag: 'zh-CN', load: async () => (await import('./zh.ts')).zh },
} as const satisfies Record<string, Language>

export type LanguageCode = keyof typeof languages

export const isLanguage = (code: string): code is LanguageCode => Object.hasOwn(languages, code)
