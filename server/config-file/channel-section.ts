import { isDeepStrictEqual } from 'node:util'
import type { Context } from '#server/context.ts'
import { objectOf, parseJson } from '#server/lib/json.ts'
import { joinedKeys, lacksPool, sealedKey } from '#server/resources/channels/channel-secrets.ts'
import { fitToType } from '#server/resources/channels/channels.service.ts'
import type { ChannelRow } from '#server/resources/channels/channels.store.ts'
import { leadsElsewhere } from '#server/resources/channels/destination.ts'
import { ChannelDraft } from '#shared/api/channels.ts'
import { channelTypeOf, channelTypes } from '#shared/channel-types.ts'
import { commaList } from '#shared/comma-list.ts'
import { AppError } from '#shared/errors.ts'
import { keyLines } from '#shared/key-lines.ts'
import { channelStatus } from '#shared/statuses.ts'
import { badFile } from './file.ts'
import { hasReference, kept, readSecret, type Variables } from './references.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields that hold names with commas between them. */
export const listFields = ['models', 'group', 'tags']
const objects = ['model_mapping', 'overrides', 'headers']
const secrets = ['key', 'proxy']

/** Everything a channel can be given, but for what is secret. */
const plain = Object.keys(ChannelDraft.shape).filter((name) => !secrets.includes(name))
const defaults: Fields = ChannelDraft.parse({ name: 'x', key: 'x', models: 'x' })

/** Headers people put credentials into. */
const secretName = /auth|key|token|secret|cookie|password/i

/** Written out, a header with the look of a reference would be read as one. */
const isKeptHeader = ([name, value]: [string, unknown]): boolean => secretName.test(name) || hasReference(String(value))

export const exportChannels = (ctx: Pick<Context, 'secrets'>, rows: readonly ChannelRow[]): Fields[] =>
  rows.map((row) => exportChannel(ctx, row))

function exportChannel({ secrets: box }: Pick<Context, 'secrets'>, row: ChannelRow): Fields {
  const own: Fields = { ...row, pool: row.pool === 1 }
  const always = ['name', 'type', 'models', 'group']
  const shown = plain
    .filter((name) => always.includes(name) || own[name] !== defaults[name])
    .map((name) => [name, shownField(name, own[name])] as const)
  return {
    ...Object.fromEntries(shown),
    ...(row.status === channelStatus.manuallyDisabled ? { status: row.status } : {}),
    key: kept,
    ...(box.open(row.proxy_sealed) === '' ? {} : { proxy: kept }),
  }
}

function shownField(name: string, value: unknown): unknown {
  if (name === 'type') return channelTypeOf(Number(value))?.label ?? value
  if (listFields.includes(name)) return commaList(String(value))
  if (!objects.includes(name)) return value
  const object = objectOf(parseJson(String(value))) ?? {}
  return name === 'headers' && Object.entries(object).some(isKeptHeader) ? kept : object
}

/** What one channel of the file should be: the columns to write, over the row there is. */
export function wantedChannel(
  ctx: Context,
  given: Fields,
  present: ChannelRow | undefined,
  variables: Variables,
): Partial<ChannelRow> {
  const where = `channels.${String(given.name)}`
  const known = [...plain, ...secrets, 'status']
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw badFile(`${where}.${unknown}: there is no such field`)
  const { key, proxy = '', status = channelStatus.enabled, ...rest } = given
  if (status !== channelStatus.enabled && status !== channelStatus.manuallyDisabled) {
    throw badFile(`${where}.status: must be 1 or 2`)
  }
  const fields = draftOf({ where, variables }, rest, present)
  const { pool, ...columns } = fields
  const wanted = {
    ...keepEqualJson(columns, present),
    pool: pool ? 1 : 0,
    // What was disabled automatically is a state, not a setting.
    status:
      present?.status === channelStatus.autoDisabled && status === channelStatus.enabled ? present.status : status,
    ...keyOf(ctx, { where: `${where}.key`, given: key, variables }, present),
    ...proxyOf(ctx, { where: `${where}.proxy`, given: proxy, variables }, present),
  }
  if (key === kept && present && leadsElsewhere(ctx, present, { ...present, ...wanted })) {
    throw badFile(`${where}.key: another address, type or proxy needs the key again, written as \${NAME}`)
  }
  const then = { ...present, ...wanted }
  const isAsBefore = then.key_sealed === present?.key_sealed && then.pool === present?.pool
  if (!isAsBefore && lacksPool(ctx, { pool: then.pool, key_sealed: then.key_sealed ?? '' })) {
    throw badFile(`${where}.key: several keys need pool: true`)
  }
  return wanted
}

/** Where something stands in the file, and what its references mean. */
interface Place {
  readonly where: string
  readonly variables: Variables
}

function draftOf(place: Place, given: Fields, present: ChannelRow | undefined) {
  const { where } = place
  const text = Object.entries(given).map(([name, value]) => [name, textOf(place, name, value, present)])
  const parsed = ChannelDraft.omit({ key: true, proxy: true }).safeParse(Object.fromEntries(text))
  if (parsed.success) return fitted(where, parsed.data)
  const issue = parsed.error.issues[0]
  throw badFile(`${where}.${issue?.path.join('.')}: ${issue?.message}`)
}

function fitted<Draft extends Parameters<typeof fitToType>[0]>(where: string, draft: Draft): Draft {
  try {
    return fitToType(draft)
  } catch (error) {
    throw error instanceof AppError ? badFile(`${where}.base_url: ${error.message}`) : error
  }
}

function textOf({ where, variables }: Place, name: string, value: unknown, present: ChannelRow | undefined): unknown {
  if (name === 'type' && typeof value === 'string') {
    const type = channelTypes.find(({ label }) => label === value)
    if (!type) throw badFile(`${where}.type: there is no type ${value}`)
    return type.id
  }
  if (listFields.includes(name) && Array.isArray(value)) return listOf(`${where}.${name}`, value)
  if (objects.includes(name) && Array.isArray(value)) throw badFile(`${where}.${name}: must be names with their values`)
  if (name === 'headers') return headersOf({ where: `${where}.headers`, given: value, variables }, present)
  return objects.includes(name) && typeof value === 'object' ? jsonOf(value) : value
}

function listOf(where: string, values: readonly unknown[]): string {
  const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number'
  if (!values.every(isName)) throw badFile(`${where}: must be a list of names`)
  return values.join(',')
}

/** Credentials among headers are written as references, too. */
function headersOf({ where, given, variables }: GivenSecret, present: ChannelRow | undefined): unknown {
  if (given === kept) return requirePresent(where, 'header', present).headers
  const headers = Object.entries(objectOf(given) ?? {}).map(([header, value]) => {
    const place = `${where}.${header}`
    if (value === kept) return [header, headerOf(place, header, present)]
    const isReference = typeof value === 'string' && hasReference(value)
    return [header, isReference ? readSecret(value, place, variables) : value]
  })
  return typeof given === 'object' ? jsonOf(Object.fromEntries(headers)) : given
}

function headerOf(where: string, header: string, present: ChannelRow | undefined): unknown {
  const headers = objectOf(parseJson(present?.headers ?? '')) ?? {}
  if (!Object.hasOwn(headers, header)) throw badFile(`${where}: there is no header to keep`)
  return headers[header]
}

function requirePresent(where: string, what: string, present: ChannelRow | undefined): ChannelRow {
  if (!present) throw badFile(`${where}: there is no ${what} to keep, the channel is new`)
  return present
}

const jsonOf = (value: unknown): string =>
  Object.keys(objectOf(value) ?? {}).length === 0 ? '' : JSON.stringify(value)

/** The same object in other words is no change. */
function keepEqualJson<Columns extends Fields>(columns: Columns, present: ChannelRow | undefined): Columns {
  if (!present) return columns
  const old: Fields = { ...present }
  const equal = objects.filter((name) =>
    isDeepStrictEqual(parseJson(String(old[name]).trim() || '{}'), parseJson(String(columns[name]).trim() || '{}')),
  )
  return { ...columns, ...Object.fromEntries(equal.map((name) => [name, old[name]])) }
}

/** A secret of the file, with the place where it stands. */
interface GivenSecret extends Place {
  readonly given: unknown
}

function keyOf(ctx: Context, { where, given, variables }: GivenSecret, present: ChannelRow | undefined) {
  const key = readSecret(given, where, variables)
  if (key === undefined) {
    requirePresent(where, 'key', present)
    return {}
  }
  const joined = joinedKeys(keyLines(key))
  if (joined === '') throw badFile(`${where}: the key is empty`)
  return ctx.secrets.hash(joined) === present?.key_hash ? {} : sealedKey(ctx, joined)
}

function proxyOf(ctx: Context, { where, given, variables }: GivenSecret, present: ChannelRow | undefined) {
  if (given === '') return { proxy_sealed: '' }
  if (given === kept) requirePresent(where, 'proxy', present)
  const literal = typeof given === 'string' && /^[a-z0-9]+:\/\/[^@]+$/.test(given)
  const proxy = literal ? given : readSecret(given, where, variables)
  if (proxy === undefined || proxy === ctx.secrets.open(present?.proxy_sealed ?? '')) return {}
  const parsed = ChannelDraft.shape.proxy.safeParse(proxy)
  if (!parsed.success) throw badFile(`${where}: ${parsed.error.issues[0]?.message}`)
  return { proxy_sealed: ctx.secrets.seal(parsed.data) }
}
