import { createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en } from '#web/locales/en.ts'
import { readStored, store } from './storage.ts'

export const languages = { en: 'English', zh: '中文' } as const
export type Language = keyof typeof languages

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en }
  }
}

const isLanguage = (value: string | undefined): value is Language => value === 'en' || value === 'zh'

function preferredLanguage(): Language {
  const stored = readStored('language')
  if (isLanguage(stored)) return stored
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export const i18n = createInstance()

type Texts = Readonly<Record<string, string>>
type Patterns = ReadonlyArray<readonly [english: RegExp, chinese: string]>
let chinese: { errors: Texts; texts: Texts; patterns: Patterns } | undefined
const none: Texts = {}

export const chineseErrors = (): Texts => (i18n.language === 'zh' && chinese?.errors) || none
export const chineseTexts = (): Texts => (i18n.language === 'zh' && chinese?.texts) || none
export const chinesePatterns = (): Patterns => (i18n.language === 'zh' && chinese?.patterns) || []

async function load(language: Language): Promise<void> {
  if (language === 'en' || chinese) return
  const [{ zh }, { errors }, { texts }, { patterns }] = await Promise.all([
    import('#web/locales/zh.ts'),
    import('#web/locales/zh/errors.ts'),
    import('#web/locales/zh/texts.ts'),
    import('#web/locales/zh/patterns.ts'),
  ])
  chinese = { errors, texts, patterns }
  i18n.addResourceBundle('zh', 'translation', zh)
}

async function show(language: Language): Promise<void> {
  await load(language)
  await i18n.changeLanguage(language)
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
}

export async function changeLanguage(language: Language): Promise<void> {
  await show(language)
  store('language', language)
}

export async function startLanguage(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  await show(preferredLanguage()).catch(() => undefined)
}
