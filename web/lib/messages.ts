import type { ApiError } from './api.ts'
import { chineseErrors, chinesePatterns, chineseTexts } from './i18n.ts'

/** A validation text of the contract in the reader's language; the contract itself speaks English. */
export function sayText(message: string): string {
  const pattern = chinesePatterns().find(([english]) => english.test(message))
  return chineseTexts()[message] ?? (pattern ? message.replace(...pattern) : message)
}

/** The server's refusal in the reader's language. */
export const sayRefusal = (error: ApiError): string =>
  (error.code && chineseErrors()[error.code]) || sayText(error.message)
