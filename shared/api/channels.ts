import { z } from 'zod'
import { BatchStatus, IdList } from '../batch.ts'
import { ChannelBatch } from '../channel-batch.ts'
import { ChannelFilter } from '../channel-filter.ts'
import { channelFields, nameAndKey } from '../channel-form-fields.ts'
import { endpoint, Id } from '../contract.ts'
import { fault } from '../faults.ts'
import { Limit, LimitFields } from '../limits.ts'
import { PageInput, pageOf } from '../pagination.ts'

export const Channel = z.object({
  id: z.number(),
  name: z.string(),
  type: z.number(),
  /** Never leaves the server. */
  key: z.literal(''),
  base_url: z.string(),
  other: z.string(),
  model_mapping: z.string(),
  models: z.string(),
  group: z.string(),
  status: z.number(),
  priority: z.number(),
  weight: z.number(),
  response_time: z.number(),
  test_time: z.number(),
  /** Why the last test failed; '' when the channel answered or was never tested. */
  test_fault: z.string(),
  /** The last fault a request met there, and when; '' and 0 when there was none. */
  last_error: z.string(),
  last_error_time: z.number(),
  /** Of the requests of the last 24 hours, the share that was answered; null when there were none. */
  success_share: z.number().nullable(),
  balance: z.number(),
  balance_updated_time: z.number(),
  used_quota: z.number(),
  created_time: z.number(),
  /** What the operator pays there, as a share of the public list price of the vendor's model. */
  cost_ratio: z.number(),
  /** Requests and tokens a minute, requests at one time; 0: no limit. */
  ...LimitFields.shape,
  /** Comma-separated. */
  tags: z.string(),
  /** JSON object set on the request to the provider, or ''. */
  headers: z.string(),
  /** JSON object `{set, default, remove}` over top-level fields of the body, or ''. */
  overrides: z.string(),
  /** Its password is shown as `***`; sent back like that it stays. */
  proxy: z.string(),
  /** Several lines of keys stay one channel. */
  pool: z.boolean(),
  /** '' : chosen by the test itself. */
  test_model: z.string(),
  /** One for each key of a pool, in their order; times in epoch seconds, 0 when it does not rest. */
  keys: z.array(z.object({ resting_until: z.number(), last_fault: z.string() })),
  /** Models of the channel that have no price: requests for them are refused. */
  unpriced_models: z.array(z.string()),
})
export type Channel = z.output<typeof Channel>

export const ChannelDraft = z.object({
  ...channelFields,
  type: channelFields.type.default(1),
  /** Several lines make several channels, one a line, or one channel with a pool of keys. */
  key: z
    .string(nameAndKey)
    .max(100_000)
    .refine((value) => value.trim() !== '', nameAndKey),
  base_url: channelFields.base_url.default(''),
  other: channelFields.other.default(''),
  model_mapping: channelFields.model_mapping.default(''),
  group: channelFields.group.default('default'),
  priority: channelFields.priority.default(0),
  weight: channelFields.weight.default(0),
  cost_ratio: channelFields.cost_ratio.default(1),
  rpm: Limit.default(0),
  tpm: Limit.default(0),
  parallel: Limit.default(0),
  tags: channelFields.tags.default(''),
  headers: channelFields.headers.default(''),
  overrides: channelFields.overrides.default(''),
  proxy: channelFields.proxy.default(''),
  pool: channelFields.pool.default(false),
  test_model: channelFields.test_model.default(''),
})

export const ChannelChange = z
  .object({
    ...channelFields,
    key: z.string().max(100_000),
    /** 3 is accepted only where it is already so. */
    status: z.number().int().min(1, fault('status.one_or_two')).max(3, fault('status.one_or_two')),
  })
  .partial()
  .extend({ id: Id })

/** What a provider's own list says, against the models of a channel. */
const FetchedModels = z.object({ models: z.array(z.string()), new: z.array(z.string()), gone: z.array(z.string()) })

export const suggestedModelMapping = {
  'gpt-3.5-turbo-0301': 'gpt-3.5-turbo',
  'gpt-4-0314': 'gpt-4',
  'gpt-4-32k-0314': 'gpt-4-32k',
}

const Scope = z.enum(['all', 'disabled']).default('all')

/** How far the running or last test over many channels has come. */
export const TestProgress = z.object({ running: z.boolean(), total: z.number(), done: z.number(), failed: z.number() })

const ById = z.object({ id: Id })

const Tested = z.object({ time: z.number(), model: z.string() })

/** Counts and tags are of all channels the filter lets through, and of all there are. */
const ChannelPage = pageOf(Channel).extend({ enabled: z.number(), tags: z.array(z.string()) })

export const channelsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    summary: 'A page of channels',
    input: PageInput.extend(ChannelFilter.shape),
    output: ChannelPage,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    summary: 'Channels with this id or key, or whose name, base URL or tags contain the keyword',
    input: PageInput.extend({ keyword: z.string().trim().max(1000).default('') }).extend(ChannelFilter.shape),
    output: ChannelPage,
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    summary: 'All model names known, each once',
    output: z.array(z.object({ id: z.string(), object: z.literal('model'), owned_by: z.string() })),
  }),
  prices: endpoint({
    method: 'GET',
    path: '/api/channel/prices',
    access: 'admin',
    summary: 'Prices of models in dollars per million tokens, null where there is none',
    input: z.object({ models: z.string().max(100_000).default('') }),
    output: z.array(
      z.object({ model: z.string(), input: z.number().nullable(), output: z.number().nullable(), unit: z.string() }),
    ),
  }),
  testMany: endpoint({
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    summary: 'Start a test of all or of the disabled channels',
    input: z.object({ scope: Scope }),
    changes: true,
  }),
  testProgress: endpoint({
    method: 'GET',
    path: '/api/channel/test_progress',
    access: 'admin',
    summary: 'Progress of the test over many channels',
    output: TestProgress,
  }),
  test: endpoint({
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    summary: 'Test one channel; the time in seconds',
    input: ById.extend({ model: z.string().trim().max(200).optional() }),
    output: Tested,
    changes: true,
    lift: ['time'],
  }),
  testDraft: endpoint({
    method: 'POST',
    path: '/api/channel/test',
    access: 'admin',
    summary: 'Test a channel as a form holds it, before it is saved; with an id and no key the saved key is used',
    input: z.object({
      ...ChannelDraft.shape,
      id: Id.optional(),
      name: z.string().trim().max(100).default(''),
      key: z.string().max(100_000).default(''),
    }),
    ignores: Object.keys(Channel.shape),
    output: Tested,
    lift: ['time'],
  }),
  balance: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance/:id',
    access: 'admin',
    summary: 'Ask the provider for the balance',
    input: ById,
    output: z.object({ balance: z.number() }),
    changes: true,
    lift: ['balance'],
  }),
  fetchModels: endpoint({
    method: 'GET',
    path: '/api/channel/fetch_models/:id',
    access: 'admin',
    summary: "The provider's own list of models, with what is new and gone against the channel",
    input: ById,
    output: FetchedModels,
    changes: true,
  }),
  fetchModelsOf: endpoint({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    summary: "A provider's own list of models, before there is a channel",
    input: z.object({
      type: channelFields.type,
      key: z.string().max(100_000),
      base_url: channelFields.base_url.default(''),
      other: channelFields.other.default(''),
      proxy: channelFields.proxy.default(''),
    }),
    output: FetchedModels,
  }),
  batch: endpoint({
    method: 'PUT',
    path: '/api/channel/batch',
    access: 'admin',
    summary: 'Change several channels at once, all or none; answers how many',
    input: ChannelBatch,
    output: z.number(),
  }),
  removeBatch: endpoint({
    method: 'DELETE',
    path: '/api/channel/batch',
    access: 'admin',
    summary: 'Delete several channels at once, all or none; answers how many',
    input: z.object({ ids: IdList }),
    output: z.number(),
  }),
  removeDisabled: endpoint({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    summary: 'Delete all disabled channels; answers how many',
    output: z.number(),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/channel/:id',
    access: 'admin',
    summary: 'One channel, without its key',
    input: ById,
    output: Channel,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    summary: 'Create channels, one for each line of the key',
    input: ChannelDraft.extend({ status: BatchStatus.default(1) }),
    ignores: Object.keys(Channel.shape),
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/channel/duplicate',
    access: 'admin',
    summary: 'Make a disabled copy of a channel, with its key',
    input: ById,
    output: Channel,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    summary: 'Change the given fields of a channel',
    input: ChannelChange,
    ignores: Object.keys(Channel.shape),
    output: Channel,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/channel/:id',
    access: 'admin',
    summary: 'Delete a channel',
    input: ById,
  }),
}
