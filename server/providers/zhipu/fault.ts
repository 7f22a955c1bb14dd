import type { ChatFault } from '#server/dialects/chat.ts'
import { type FaultKind, faultOfKind } from '#server/dialects/fault.ts'

/** First match wins. */
const patterns: readonly (readonly [RegExp, FaultKind])[] = [
  [/^100\d$/, 'credentials'],
  [/^(1113|1304|1308|1310)$/, 'quota'],
  [/^11[12]\d$/, 'barred'],
  [/^1261$/, 'tooLong'],
  [/^1211$/, 'notFound'],
  [/^121[0-5]$/, 'invalid'],
  [/^122\d$/, 'forbidden'],
  [/^1301$/, 'filtered'],
  [/^13(02|03|05|12|13)$/, 'rate'],
  [/^1309$/, 'barred'],
  [/^1311$/, 'forbidden'],
]

/** Zhipu's numbered errors mean the same in all its versions, whatever the HTTP status says. */
export function zhipuFault(code: string, message: string): ChatFault {
  return faultOfKind(patterns.find(([pattern]) => pattern.test(code))?.[1] ?? 'internal', message, code)
}
