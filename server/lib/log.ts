const levels = { debug: 10, info: 20, warn: 30, error: 40, silent: 99 } as const
export type LogLevel = keyof typeof levels

export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

const secretName = /authorization|cookie|password|secret|token$|key$|^code$/i
const secretText = /\b(sk-[\w-]{8,}|Bearer\s+\S+|bce-v3\/\S+|gsk_\w+|AIza[\w-]{20,})/g
/** What addresses call secrets in their query. */
const querySecret =
  /([?&](?:key|api[-_]?key|code|token|access_token|client_secret|secret|password|authorization|signature)=)[^&#\s"'<>]+/gi
const urlCredentials = /(:\/\/[^/\s:@]+:)[^@\s/]+@/g

export const redact = (text: string): string =>
  text.replace(secretText, '[redacted]').replace(querySecret, '$1[redacted]').replace(urlCredentials, '$1[redacted]@')

function presentable(name: string, value: unknown): unknown {
  if (secretName.test(name) && typeof value === 'string') return '[redacted]'
  if (value instanceof Error) return redact(value.stack ?? value.message)
  if (typeof value === 'string') return redact(value)
  return value
}

/** Logs JSON lines. Values whose name or shape looks like a secret are redacted. */
export function createLogger(
  level: LogLevel,
  write: (line: string) => void = (line) => process.stdout.write(line),
): Logger {
  const at =
    (name: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (levels[name] < levels[level]) return
      const safe = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, presentable(key, value)]))
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message: redact(message), ...safe })}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
