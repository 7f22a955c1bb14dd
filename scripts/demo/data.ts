/** What the demo shows: a small company's relay on an ordinary day. */

export const channels = [
  { name: 'gpu-rack-vllm', type: 8, group: 'internal', priority: 10, weight: 0, delay: 320, models: 'llama3' },
  {
    name: 'openai-max',
    type: 6,
    group: 'premium',
    priority: 20,
    weight: 0,
    delay: 990,
    models: 'gpt-4o',
    off: true,
  },
  {
    name: 'mistral-paris',
    type: 28,
    group: 'default',
    priority: 60,
    weight: 2,
    delay: 3150,
    models: 'mistral-large-latest',
    cost_ratio: 0.9,
  },
  {
    name: 'moonshot-backup',
    type: 25,
    group: 'default',
    priority: 60,
    weight: 1,
    delay: 5210,
    models: 'moonshot-v1-8k',
    cost_ratio: 0.75,
  },
  {
    name: 'gemini-pro-pool',
    type: 24,
    group: 'default',
    priority: 80,
    weight: 4,
    delay: 2420,
    models: 'gemini-2.5-pro,gemini-2.5-flash',
    cost_ratio: 0.8,
  },
  {
    name: 'anthropic-direct',
    type: 14,
    group: 'default,pro',
    priority: 90,
    weight: 10,
    delay: 1930,
    models: 'claude-sonnet-4-5,claude-opus-4-5',
    cost_ratio: 0.85,
  },
  {
    name: 'azure-sweden',
    type: 3,
    group: 'vip,svip',
    priority: 90,
    weight: 8,
    delay: 1280,
    models: 'gpt-4o,gpt-4o-mini',
    cost_ratio: 0.8,
  },
  {
    name: 'openai-eu-west',
    type: 1,
    group: 'default',
    priority: 100,
    weight: 5,
    delay: 870,
    models: 'gpt-4o,gpt-4o-mini',
    cost_ratio: 0.75,
  },
  {
    name: 'openai-primary',
    type: 1,
    group: 'default,vip',
    priority: 100,
    weight: 10,
    delay: 640,
    models: 'gpt-4o,gpt-4o-mini,text-embedding-3-large',
    cost_ratio: 0.7,
  },
] as const

export const people = [
  { username: 'j.tanaka', display_name: 'Jun Tanaka', group: 'default', quota: 41_300_000 },
  { username: 'priya', display_name: 'Priya Raman', group: 'vip', quota: 184_200_000 },
  { username: 'lin.wei', display_name: 'Lin Wei', group: 'default,pro', quota: 12_750_000 },
  { username: 'm.okafor', display_name: 'Mary Okafor', group: 'default', quota: 2_400_000 },
] as const

export const owner = { username: 'maren.olsen', display_name: 'Maren Olsen', quota: 920_000_000 }

const day = 86_400

export const ownTokens = [
  { name: 'laptop', remain_quota: 500_000, days: 1 },
  { name: 'hackathon-2025', remain_quota: 2_000_000, days: 30, disabled: true },
  { name: 'ci-evals', remain_quota: 12_000_000, days: 90 },
  { name: 'support-bot', remain_quota: 150_000_000, days: 0 },
  { name: 'production-api', remain_quota: 0, days: 0, unlimited: true },
] as const

/** Epoch seconds; 0 days is never. */
export const expiryIn = (days: number, now: number): number => (days === 0 ? -1 : now + days * day)

/** Requests of the day: who asks, with which token, for what, and how much of it. */
export const requests = [
  { by: 'maren.olsen', token: 'support-bot', model: 'gpt-4o-mini', usage: '1108/290' },
  { by: 'lin.wei', token: 'ci-evals', model: 'gemini-2.5-flash', usage: '2044/611' },
  { by: 'maren.olsen', token: 'production-api', model: 'claude-opus-4-5', usage: '9310/4107' },
  { by: 'j.tanaka', token: 'editor-laptop', model: 'gpt-4o', usage: '3120/845' },
  { by: 'j.tanaka', token: 'backfill', model: 'text-embedding-3-large', usage: '8190/0' },
  { by: 'priya', token: 'editor-laptop', model: 'gpt-4o', usage: '42117/2980' },
  { by: 'maren.olsen', token: 'support-bot', model: 'gpt-4o-mini', usage: '912/344' },
  { by: 'maren.olsen', token: 'production-api', model: 'claude-sonnet-4-5', usage: '18422/1204' },
  { by: 'priya', token: 'editor-laptop', model: 'gpt-4o-mini', usage: '5230/1411' },
] as const
