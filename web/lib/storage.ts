import { z } from 'zod'
import { LoginUser } from '#shared/api/auth.ts'
import { Status } from '#shared/api/status.ts'

const json = <Value>(schema: z.ZodType<Value>) => ({
  read: (text: string): Value | undefined => {
    try {
      return schema.safeParse(JSON.parse(text)).data
    } catch {
      return undefined
    }
  },
  write: (value: Value): string => JSON.stringify(value),
})

const text = { read: (stored: string) => stored, write: (value: string) => value }
const number = { read: (stored: string) => Number(stored), write: (value: number) => String(value) }
const flag = { read: (stored: string) => stored === 'true', write: (value: boolean) => String(value) }

/** Everything the console keeps in the browser. */
const keys = {
  user: json(LoginUser),
  status: json(Status),
  system_name: text,
  logo: text,
  footer_html: text,
  channel_models: json(z.record(z.string(), z.array(z.string()))),
  aff: text,
  quota_per_unit: number,
  display_in_currency: flag,
  /** The notice shown last; another text is shown again. */
  notice: text,
  language: text,
  theme: text,
  /** Whether usage is shown as chart or as table. */
  usage_view: text,
  /** Filters of the log by the names people gave them: addresses. */
  log_filters: json(z.record(z.string(), z.string())),
  /** Whether all fields of the log's filter are shown. */
  log_fields: flag,
  /** Drafts of routing by the names people gave them, as they stand in the address. */
  routing_drafts: json(z.record(z.string(), z.string())),
  /** The team whose wallet is looked at; 0 is the own. */
  wallet: number,
  /** Whether the way to the first answer is no longer shown. */
  first_steps_hidden: flag,
  /** Pages visited last, the newest first. */
  recent_pages: json(z.array(z.string())),
  /** Whether single letters are shortcuts. */
  single_keys: flag,
}

type Key = keyof typeof keys
type Stored<K extends Key> = NonNullable<ReturnType<(typeof keys)[K]['read']>>

/** Storage can be full or forbidden; the console works on without it. */
function quietly<Result>(action: () => Result): Result | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

export function readStored<K extends Key>(key: K): Stored<K> | undefined {
  const found = quietly(() => localStorage.getItem(key))
  return found === null || found === undefined ? undefined : ((keys[key].read(found) ?? undefined) as Stored<K>)
}

export function store<K extends Key>(key: K, value: Stored<K>): void {
  const write = keys[key].write as (value: Stored<K>) => string
  quietly(() => localStorage.setItem(key, write(value)))
}

export function forget(key: Key): void {
  quietly(() => localStorage.removeItem(key))
}

/** Whether the prompt of this name was shown before. */
export const promptShown = (name: string): boolean =>
  quietly(() => localStorage.getItem(`prompt-${name}`) !== null) ?? false

export function markPromptShown(name: string): void {
  quietly(() => localStorage.setItem(`prompt-${name}`, 'true'))
}
