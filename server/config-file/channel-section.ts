import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Context } from '#server/context.ts'
import { objectOf, parseJson, parseObject } from '#server/lib/json.ts'
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
import { shownObject } from './shown-object.ts'
import { listFields } from './written-texts.ts'

type Fields = Readonly<Record<string, unknown>>

const objects = ['model_mapping', 'overrides', 'headers']
const secrets = ['key', 'proxy']

/** Everything a channel can be given, but for what is secret. */
const plain = Object.keys(ChannelDraft.shape).filter((name) => !secrets.includes(name))
const defaults: Fields = ChannelDraft.parse({ name: 'x', key: 'x', models: 'x' })

/** Headers people put credentials into. */
const secretName = /auth|key|token|secret|cookie|password/i

/** A header value that looks like a reference would be read as one. */
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
  const object = parseObject(String(value))
  return name === 'headers' && Object.entries(object).some(isKeptHeader) ? kept : shownObject(String(value))
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
  const { pool, ...columns } = fieldsOf(ctx, { where, variables }, rest, present)
  const wanted: Partial<ChannelRow> = {
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
  if (!isAsBefore && lacksPool(ctx, { pool: then.pool ?? 0, key_sealed: then.key_sealed ?? '' })) {
    throw badFile(`${where}.key: several keys need pool: true`)
  }
  return wanted
}

/** Where something stands in the file, and what its references mean. */
interface Place {
  readonly where: string
  readonly variables: Variables
}

/** Imported channels may hold values no form accepts: a field that does not change is not checked. */
function fieldsOf(ctx: Pick<Context, 'secrets'>, place: Place, given: Fields, present: ChannelRow | undefined): Fields {
  const was = present && exportChannel(ctx, present)
  const own: Fields = { ...present }
  const isAsItWas = (name: string) => was !== undefined && isDeepStrictEqual(given[name], was[name])
  const fields = Object.fromEntries(
    plain.map((name) => [name, isAsItWas(name) ? own[name] : draftField(place, name, given[name], present)]),
  )
  return ['type', 'base_url', 'other'].every(isAsItWas) ? fields : fitted(place.where, fields)
}

function draftField(place: Place, name: string, given: unknown, present: ChannelRow | undefined): unknown {
  const schema: z.ZodType = ChannelDraft.shape[name as keyof typeof ChannelDraft.shape]
  const parsed = schema.safeParse(textOf(place, name, given, present))
  if (parsed.success) return parsed.data
  throw badFile(`${place.where}.${name}: ${parsed.error.issues[0]?.message}`)
}

function fitted(where: string, fields: Fields): Fields {
  const { type, base_url, other } = fields
  try {
    return { ...fields, ...fitToType({ type: Number(type), base_url: String(base_url), other: String(other) }) }
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
  if (!values.every((value) => typeof value === 'string')) throw badFile(`${where}: must be a list of names`)
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

/** Two spellings of the same object are no change. */
function keepEqualJson(columns: Fields, present: ChannelRow | undefined): Fields {
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
