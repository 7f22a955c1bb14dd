import type { en } from '#web/locales/en.ts'

export type PageName = keyof typeof en.pages
