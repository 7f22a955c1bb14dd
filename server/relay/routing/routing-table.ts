import type { Context } from '#server/context.ts'
import { parseObject } from '#server/lib/json.ts'
import { channelTypeOf } from '#shared/channel-types.ts'
import { commaList } from '#shared/comma-list.ts'
import type { Limits } from '#shared/limits.ts'
import { channelStatus } from '#shared/statuses.ts'
import { type Overrides, readOverrides } from './overrides.ts'
import { type RoutedChannelRow, readChannels } from './routing.store.ts'

/** A channel ready for use: its key opened, its lists split. */
export interface RoutedChannel {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly key: string
  readonly baseUrl: string
  readonly other: string
  readonly mapping: ReadonlyMap<string, string>
  readonly models: ReadonlySet<string>
  readonly groups: readonly string[]
  readonly status: number
  readonly priority: number
  readonly weight: number
  readonly limits: Limits
  /** What the operator pays there, as a share of the public price. */
  readonly costRatio: number
  /** Headers it adds to what it sends; null when there are none. */
  readonly headers: Readonly<Record<string, string>> | null
  readonly overrides: Overrides | null
  /** '' when it goes out directly. */
  readonly proxy: string
  /** The keys of a pool, otherwise the one key; the first is `key`. */
  readonly keys: readonly string[]
  /** '' when the test chooses. */
  readonly testModel: string
}

export interface RoutingTable {
  readonly channels: ReadonlyMap<number, RoutedChannel>
  /** Enabled channels that carry a model for any of the groups. */
  candidates(groups: readonly string[], model: string): readonly RoutedChannel[]
  /** Channels with the model, whatever their groups and status. */
  carrying(model: string): readonly RoutedChannel[]
  /** Channels that would carry it if they were enabled: the reason when there is no candidate. */
  disabledFor(groups: readonly string[], model: string): number
  /** Models reachable from the groups, sorted. */
  modelsOf(groups: readonly string[]): string[]
}

export interface Routing {
  /** The table as it is now; read again first when channels have changed. */
  table(): Promise<RoutingTable> | RoutingTable
}

export function createRouting(ctx: Context): Routing {
  let table: RoutingTable | null = null
  let loading: Promise<RoutingTable> | null = null
  ctx.changes.listen(({ topic }) => {
    if (topic !== 'channels' && topic !== 'everything') return
    table = null
    loading = null
  })
  const load = async (): Promise<RoutingTable> => {
    const own: Promise<RoutingTable> = readChannels(ctx.database.db).then((rows) =>
      createTable(rows.map((row) => routedChannel(ctx, row))),
    )
    loading = own
    try {
      const built = await own
      // A change that arrived meanwhile has set `loading` anew: the next caller reads again.
      if (loading === own) table = built
      return built
    } finally {
      if (loading === own) loading = null
    }
  }
  return { table: () => (ctx.changes.isCurrent() ? (table ?? loading ?? load()) : load()) }
}

export function routedChannel(ctx: Pick<Context, 'secrets'>, row: RoutedChannelRow): RoutedChannel {
  const key = ctx.secrets.open(row.key_sealed)
  const keys = row.pool === 1 ? key.split('\n').filter(Boolean) : [key]
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    key: keys[0] ?? '',
    keys,
    baseUrl: row.base_url || (channelTypeOf(row.type)?.baseUrl ?? ''),
    other: row.other,
    mapping: readMapping(row.model_mapping),
    models: new Set(commaList(row.models)),
    groups: commaList(row.group),
    status: row.status,
    priority: row.priority,
    weight: row.weight,
    limits: { rpm: row.rpm, tpm: row.tpm, parallel: row.parallel },
    costRatio: row.cost_ratio,
    headers: row.headers.trim() === '' ? null : (parseObject(row.headers) as Record<string, string>),
    overrides: readOverrides(row.overrides),
    proxy: ctx.secrets.open(row.proxy_sealed),
    testModel: row.test_model,
  }
}

const readMapping = (text: string): Map<string, string> =>
  new Map(Object.entries(parseObject(text)) as [string, string][])

const joinedMax = 10_000

export function createTable(list: readonly RoutedChannel[]): RoutingTable {
  const enabled = new Map<string, RoutedChannel[]>()
  for (const channel of list) {
    if (channel.status !== channelStatus.enabled) continue
    for (const group of channel.groups) {
      for (const model of channel.models) {
        const key = `${group}\n${model}`
        const bucket = enabled.get(key)
        if (bucket) bucket.push(channel)
        else enabled.set(key, [channel])
      }
    }
  }
  const none: readonly RoutedChannel[] = []
  const joined = new Map<string, readonly RoutedChannel[]>()
  return {
    channels: new Map(list.map((channel) => [channel.id, channel])),
    candidates(groups, model) {
      if (groups.length === 1) return enabled.get(`${groups[0]}\n${model}`) ?? none
      const key = `${groups.join(',')}\n${model}`
      const known = joined.get(key)
      if (known) return known
      const found = [...new Set(groups.flatMap((group) => enabled.get(`${group}\n${model}`) ?? none))]
      // Clients choose the names, so names without a channel are not remembered.
      if (found.length === 0) return none
      if (joined.size >= joinedMax) joined.clear()
      joined.set(key, found)
      return found
    },
    carrying: (model) => list.filter((channel) => channel.models.has(model)),
    disabledFor: (groups, model) =>
      list.filter(
        (channel) =>
          channel.status !== channelStatus.enabled &&
          channel.models.has(model) &&
          channel.groups.some((group) => groups.includes(group)),
      ).length,
    modelsOf(groups) {
      const open = list.filter(
        (channel) => channel.status === channelStatus.enabled && channel.groups.some((group) => groups.includes(group)),
      )
      return [...new Set(open.flatMap((channel) => [...channel.models]))].sort()
    },
  }
}
