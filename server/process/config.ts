import { z } from 'zod'
import { readDatabaseAddress } from '#server/db/postgres/database-address.ts'
import { decoded } from '#server/lib/text/decoded.ts'
import { withoutTrailing } from '#server/lib/text/without-trailing.ts'

/** `count/seconds` per client; `0` is off. */
export interface RateLimit {
  count: number
  seconds: number
}

const rateLimit = z
  .string()
  .regex(/^(0|\d+\/0*[1-9]\d*)$/, 'must be count/seconds (like 1200/180), or 0 for off')
  .transform((text): RateLimit | null => {
    const [count = 0, seconds = 0] = text.split('/').map(Number)
    return count > 0 && seconds > 0 ? { count, seconds } : null
  })

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)

const baseUrl = z
  .string()
  .regex(/^https?:\/\/\S+$/, 'must begin with http:// or https://')
  .transform((value) => withoutTrailing(value, '/'))

const oneOf = <const Choice extends string>(choices: readonly Choice[]) =>
  z.enum(choices, `must be one of ${choices.join(', ')}`)

/** An address, or nothing. */
const optionalUrl = z
  .string()
  .regex(/^(|https?:\/\/\S+)$/, 'must begin with http:// or https://')
  .transform((value) => withoutTrailing(value, '/'))

/** As the runtime takes it: without a scheme it is http. */
const proxyAddress = z
  .string()
  .regex(
    /^(|(https?:\/\/)?(?!\S*:\/\/)[^\s/]\S*)$/i,
    'must begin with http:// or https://; a SOCKS5 proxy is set in the channels that need it',
  )

/** `name=value,name=value`, values percent-encoded, as OpenTelemetry writes lists. */
const pairs = z
  .string()
  .regex(/^(|[^=,]+=[^,]*(,[^=,]+=[^,]*)*)$/, 'must be name=value,name=value')
  .transform(
    (text): Record<string, string> =>
      Object.fromEntries(
        text.split(',').flatMap((pair) => {
          const at = pair.indexOf('=')
          return at < 0 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]]
        }),
      ),
  )

export interface Variable<Value> {
  readonly schema: z.ZodType<Value, string>
  readonly default: string
  readonly help: string
  /** Another name it is known by. */
  readonly alias: string | undefined
}

const variable = <Value>(
  schema: z.ZodType<Value, string>,
  fallback: string,
  help: string,
  alias?: string,
): Variable<Value> => ({ schema, default: fallback, help, alias })

/** Characters; a shorter secret key can be guessed. */
export const secretKeyLeast = 16

/** Every environment variable. Adding one is one line; docs/configuration.md and .env.example are drawn from it. */
export const variables = {
  PORT: variable(whole(0, 65_535), '3000', 'Port to serve on.'),
  HOST: variable(z.string().min(1), '0.0.0.0', 'Address to listen on.'),
  DATA_DIR: variable(z.string().min(1), './data', 'Folder of the SQLite file and the generated secret key.'),
  DATABASE_URL: variable(
    z
      .string()
      .refine(
        (value) => value === '' || /^sqlite:\s*\S/.test(value) || readDatabaseAddress(value) !== null,
        'must be sqlite: and a file, or begin with postgres://, ports be numbers and target_session_attrs any, read-write or primary',
      ),
    '',
    'Where the data lives: `sqlite:<file>` or `postgres://…`, with several hosts as `postgres://user:pass@h1:5432,h2:5432/db?target_session_attrs=read-write`. Empty: `sqlite:<DATA_DIR>/switchyard.db`.',
  ),
  DATABASE_DIRECT_URL: variable(
    z
      .string()
      .refine(
        (value) => value === '' || readDatabaseAddress(value) !== null,
        'must begin with postgres://, and ports be numbers',
      ),
    '',
    'The same PostgreSQL without a pooler in between, for notifications and locks of a session. Needed when DATABASE_URL leads to PgBouncer in transaction mode. Empty: DATABASE_URL.',
  ),
  SECRET_KEY: variable(
    z
      .string()
      .refine(
        (value) => value === '' || value.trim().length >= secretKeyLeast,
        `must have at least ${secretKeyLeast} characters`,
      ),
    '',
    'Seals channel keys, tokens and option secrets. Empty: generated once into `DATA_DIR/secret.key`. Several nodes share one.',
  ),
  INITIAL_ROOT_PASSWORD: variable(
    z.string().min(1).max(200, 'must have at most 200 characters'),
    '123456',
    'Password of the first account `root`; used only when there are no users.',
  ),
  TRUST_PROXY: variable(
    z
      .string()
      .regex(/^(off|\d{1,2})$/, 'must be off or the number of proxies')
      .transform((value) => (value === 'off' ? 0 : Number(value))),
    'off',
    "How many proxies to trust for the client's address (X-Forwarded-For).",
  ),
  WORKERS: variable(whole(1, 64), '1', 'Processes on one port (PostgreSQL only).'),
  UPSTREAM_CLIENT: variable(
    oneOf(['own', 'fetch']),
    'own',
    "What sends requests to upstreams: `own` keeps connections open, `fetch` is the runtime's. Proxies always use `fetch`.",
  ),
  UPSTREAM_CONNECT_TIMEOUT: variable(
    whole(1, 3600),
    '10',
    'Seconds to wait for a connection to an upstream, TLS included; then the next channel is tried.',
  ),
  UPSTREAM_HEADERS_TIMEOUT: variable(whole(1, 86_400), '300', 'Seconds to wait for the head of an upstream answer.'),
  UPSTREAM_IDLE_TIMEOUT: variable(
    whole(1, 86_400),
    '120',
    'Seconds of silence allowed between two bytes of an answer.',
  ),
  CLIENT_IDLE_TIMEOUT: variable(
    whole(1, 86_400),
    '600',
    'Seconds after which a client that has stopped reading its answer counts as one that has left.',
  ),
  ABANDONED_TIMEOUT: variable(
    whole(1, 86_400),
    '60',
    'Seconds for which an answer is read on, to be billed as reported, when its client has left.',
  ),
  HTTP_PROXY: variable(
    proxyAddress,
    '',
    'Proxy to reach `http://` upstreams through; `NO_PROXY` excepts hosts. `http_proxy` works as well.',
    'http_proxy',
  ),
  HTTPS_PROXY: variable(
    proxyAddress,
    '',
    'Proxy to reach `https://` upstreams through; `NO_PROXY` excepts hosts. `https_proxy` works as well.',
    'https_proxy',
  ),
  RATE_LIMIT_API: variable(rateLimit, '1200/180', 'Console API calls per client address: count/seconds, 0 = off.'),
  RATE_LIMIT_WEB: variable(rateLimit, '1200/180', 'Page and file requests per client address: count/seconds, 0 = off.'),
  RATE_LIMIT_CRITICAL: variable(
    rateLimit,
    '30/1200',
    'Failed logins and codes per client address and account, and mails sent: count/seconds, 0 = off.',
  ),
  RATE_LIMIT_REGISTER: variable(rateLimit, '5/3600', 'New accounts per client address: count/seconds, 0 = off.'),
  METRICS_TOKEN: variable(z.string(), '', 'Bearer token for `/metrics`. Empty: the page is off.'),
  GITHUB_URL: variable(baseUrl, 'https://github.com', 'Base address of GitHub, for logins.'),
  GITHUB_API_URL: variable(baseUrl, 'https://api.github.com', 'Base address of the GitHub API.'),
  TURNSTILE_URL: variable(
    baseUrl,
    'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    'Whole address that verifies Turnstile tokens.',
  ),
  RELEASES_URL: variable(
    baseUrl,
    'https://api.github.com/repos/switchyard-relay/switchyard/releases/latest',
    'Whole address of the latest release, for the update check.',
  ),
  LOG_LEVEL: variable(
    oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    'info',
    'debug, info, warn, error or silent; JSON lines on standard output.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    optionalUrl,
    '',
    'OpenTelemetry collector to send traces to (OTLP over HTTP, JSON); `/v1/traces` is added. Empty: no traces.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable(optionalUrl, '', 'Whole address for traces, instead of the one above.'),
  OTEL_EXPORTER_OTLP_HEADERS: variable(pairs, '', 'Headers for the collector: name=value,name=value.'),
  OTEL_SERVICE_NAME: variable(z.string().min(1), 'switchyard', 'Name of the service in traces.'),
  OTEL_RESOURCE_ATTRIBUTES: variable(pairs, '', 'More about the service in traces: name=value,name=value.'),
  OTEL_TRACES_SAMPLER_ARG: variable(
    z
      .string()
      .regex(/^(0?\.\d+|[01](\.0+)?)$/, 'must be between 0 and 1')
      .transform(Number),
    '1',
    'Share of requests traced, 0 to 1; a caller that sends `traceparent` decides for its own.',
  ),
  OTEL_SDK_DISABLED: variable(
    oneOf(['true', 'false']).transform((value) => value === 'true'),
    'false',
    'true: no traces, whatever else is set.',
  ),
} satisfies Record<string, Variable<unknown>>

export type Config = { readonly [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['schema']> }

/** Thrown with every bad variable named at once. */
export class ConfigError extends Error {}

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema, default: fallback, alias = name }] of Object.entries(variables)) {
    const parsed = (schema as z.ZodType<unknown, string>).safeParse(env[name] || env[alias] || fallback)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}`)
  }
  const config = values as Config
  if (config.DATABASE_URL === '') values.DATABASE_URL = `sqlite:${config.DATA_DIR}/switchyard.db`
  // One that is bad itself has been named and is not here.
  if (config.WORKERS > 1 && config.DATABASE_URL?.startsWith('sqlite:')) {
    problems.push('WORKERS above 1 needs PostgreSQL (DATABASE_URL=postgres://…)')
  }
  if (problems.length > 0) throw new ConfigError(`The environment is not valid:\n  ${problems.join('\n  ')}`)
  return config
}
