import type { ApiError } from './api.ts'
import { chineseErrors, chineseTexts } from './i18n.ts'

/** A validation text of the contract in the reader's language; the contract itself speaks English. */
export const sayText = (message: string): string => chineseTexts()[message] ?? message

/** The server's refusal in the reader's language. */
export const sayRefusal = (error: ApiError): string =>
  (error.code && chineseErrors()[error.code]) || sayText(error.message)
