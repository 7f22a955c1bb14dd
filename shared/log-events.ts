import { z } from 'zod'
import { fillIn } from './faults.ts'
import { fieldWord } from './field-word.ts'

/**
 * What people and the system do that the log shows: a code and its English sentence. `{name}` is filled from the values of the event;
 * the compiler asks for each of them. Rows keep code and values beside the sentence, so that the console can say it in its language.
 */
export const logEvents = {
  'user.created': 'administrator {actor} created the account',
  'user.deleted': 'administrator {actor} deleted user {user}',
  'user.new_password': 'administrator {actor} set a new password for the user',
  'user.second_factor_cleared': "administrator {actor} cleared the user's second factor",
  'user.name': 'administrator {actor} changed the user\'s name from "{from}" to "{to}"',
  'user.display_name': 'administrator {actor} changed the user\'s display name from "{from}" to "{to}"',
  'user.group': 'administrator {actor} changed the user\'s group from "{from}" to "{to}"',
  'user.quota': "administrator {actor} changed the user's quota from {from} to {to}",
  'user.budget': 'administrator {actor} changed the user\'s budget from "{from}" to "{to}"',
  'user.promoted': "administrator {actor} changed the user's role from ordinary user to admin",
  'user.demoted': "administrator {actor} changed the user's role from admin to ordinary user",
  'user.banned': "administrator {actor} changed the user's status from activated to banned",
  'user.activated': "administrator {actor} changed the user's status from banned to activated",
  'password.by_mail': 'the password was reset with a link sent by mail',
  'password.by_command': 'password reset from the command line',
  'password.and_factor_by_command': 'password and second factor reset from the command line',

  'channel.created': 'created channel {id} "{name}" ({type})',
  'channel.deleted': 'deleted channel {id} "{name}" ({type})',
  'channel.disabled_deleted': 'deleted disabled channel {id} "{name}" ({type})',
  'channel.enabled': 'enabled channel {id} "{name}" ({type})',
  'channel.disabled': 'disabled channel {id} "{name}" ({type})',
  'channel.changed': 'changed channel {id} "{name}" ({type}): {changes}',
  'channel.enabled_changed': 'enabled and changed channel {id} "{name}" ({type}): {changes}',
  'channel.disabled_changed': 'disabled and changed channel {id} "{name}" ({type}): {changes}',
  'channel.auto_disabled': 'Channel {name} (#{id}) has been disabled automatically: {reason}',
  'channel.auto_enabled': 'Channel {name} (#{id}) has been enabled automatically: its test succeeded',

  'codes.created': 'created {count} redemption codes "{name}" of {quota} quota each',
  'code.changed': 'changed redemption code {id}: {changes}',
  'code.deleted': 'deleted redemption code {id} "{name}" of {quota} quota',
  'option.changed': 'changed the option {key} from "{from}" to "{to}"',
  'option.secret_changed': 'changed the option {key}',
  'option.secret_cleared': 'cleared the option {key}',
  'price.set': 'set the price of {model}: {prices}',
  'price.removed': 'put {model} back to its list price',
  'prices.synced': 'synced the prices of {count} models',
  'routing.applied': 'applied a draft of routing: {things}',
  'config.applied': 'applied a configuration file: {count} changes',
  'history.undone': 'undid entry {entry} of the history ({kind} {things})',
  'log.cleared': 'cleared {rows} log rows older than {time}',

  'money.code': 'topped up {money} with a redemption code',
  'money.team_code': 'topped up {money} with a redemption code for team #{team}',
  'money.transferred': 'transferred {money} to team #{team}',
  'gift.registration': 'gift for a new registration: {money}',
  'gift.invited': 'gift for using an invitation code: {money}',
  'gift.inviting': 'gift for inviting a user: {money}',

  // Parts of the others.
  'part.price': '{field} {usd}',
  'part.field': '{field} from "{from}" to "{to}"',
  'part.key': 'key replaced',
  'part.proxy': 'proxy changed',
  'part.headers': 'headers changed',
  'part.points': '{points} points of quota',
  'part.no_budget': 'none',
  'part.budget_day': '{money} a day',
  'part.budget_week': '{money} a week',
  'part.budget_month': '{money} a month',
} as const

export type LogEventCode = keyof typeof logEvents
export type LogEventWords = Partial<Readonly<Record<LogEventCode, string>>>

type NamesIn<Template> = Template extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Whoever is named by number: a name that changes is shown as it is now, and one that is deleted is gone from the log too. */
const Person = z.object({ user: z.number(), name: z.string().optional() })

/** A text, a number, a person, or parts that are said in the reader's language too. */
export type LogValue = string | number | z.output<typeof Person> | readonly LogEvent[]

type EventOf<Code extends LogEventCode> = {
  readonly code: Code
  readonly values: Readonly<Record<NamesIn<(typeof logEvents)[Code]>, LogValue>>
}

export type LogEvent = { [Code in LogEventCode]: EventOf<Code> }[LogEventCode]

type StoredValue = string | number | z.output<typeof Person> | readonly StoredEvent[]

/** An event as a row carries it: perhaps of a version that knew other codes. */
export interface StoredEvent {
  readonly code: string
  readonly values: Readonly<Record<string, StoredValue>>
}

export const StoredEvent: z.ZodType<StoredEvent> = z.lazy(() =>
  z.object({
    code: z.string(),
    values: z.record(z.string(), z.union([z.string(), z.number(), Person, z.array(StoredEvent)])),
  }),
)

/** An event in the words of a language; nothing where it has none for it, or for a part of it. */
export function eventText(
  words: LogEventWords,
  { code, values }: StoredEvent,
  fields: Readonly<Record<string, string>>,
): string | undefined {
  const template = Object.hasOwn(words, code) ? words[code as LogEventCode] : undefined
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    const text = name === 'field' ? fieldWord(fields, String(value)) : valueText(words, value, fields)
    if (text === undefined) return undefined
    params[name] = text
  }
  return template && fillIn(template, params)
}

function valueText(
  words: LogEventWords,
  value: StoredValue,
  fields: Readonly<Record<string, string>>,
): string | undefined {
  if (typeof value !== 'object') return String(value)
  if ('user' in value) return value.name === undefined ? `#${value.user}` : `${value.name} (#${value.user})`
  const parts = value.map((part) => eventText(words, part, fields))
  return parts.includes(undefined) ? undefined : parts.join(', ')
}
