import type { ChatEvent, ChatFault } from '#server/dialects/chat.ts'
import { BadRequest, type UpstreamDialect } from '#server/dialects/dialect.ts'
import { faultOfBody, pauseIn } from '#server/dialects/error-body.ts'
import type { HttpClient } from '#server/lib/http1/http-client.ts'
import { type HttpResponse, textIn } from '#server/lib/http1/http-response.ts'
import { inStep } from '#server/lib/in-step.ts'
import { inTurn } from '#server/lib/in-turn.ts'
import { parseJson } from '#server/lib/json.ts'
import { fetchThrough } from '#server/lib/proxy/proxied-fetch.ts'
import { providerOf } from '#server/providers/index.ts'
import {
  type AnswerBound,
  type Target,
  type UpstreamCall,
  UpstreamFault,
  unbounded,
} from '#server/providers/provider.ts'
import { ClientGone } from '#server/relay/client-gone.ts'
import { RelayFault, refusal } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import { longBytes } from '#server/relay/request/body-places.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { laterOverrides } from '#server/relay/routing/api/moved-request.ts'
import { type Overrides, overridden } from '#server/relay/routing/overrides.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { type Outgoing, outgoing, type Reading, Unwritable } from './outgoing.ts'
import { proxiedClient } from './proxied-client.ts'
import { createTools, type FetchedFiles } from './request-tools.ts'
import { watchSilence } from './silence.ts'
import { createStop } from './stop.ts'
import { httpAnswer, type Sending, socketAnswer, type UpstreamAnswer } from './upstream-answer.ts'
import { waitingTime } from './without-key.ts'

export interface SendContext {
  readonly post: HttpClient['post']
  readonly fetch: typeof fetch
  /** What the channel adds to what it sends. */
  readonly channel: Pick<RoutedChannel, 'headers' | 'overrides' | 'proxy'>
  readonly clock: () => number
  /** Fires when the client has gone. */
  readonly gone: AbortSignal
  /** How long it is asked on without its client; at 0 it is ended with it. */
  readonly lingersMs: number
  /** Until the first byte. */
  readonly headersTimeoutMs: number
  /** Between the bytes of an answer. */
  readonly idleTimeoutMs: number
  /** Set when the request is traced. */
  readonly traceparent: string | undefined
  readonly files: FetchedFiles
  readonly mayFetch: () => Promise<void>
  /** Other requests run as well. */
  isBusy(): boolean
}

interface SendOptions extends Partial<Pick<SendContext, 'lingersMs' | 'traceparent' | 'files' | 'mayFetch'>> {
  /** How long the upstream may be silent, instead of what is configured. */
  readonly timeoutMs?: number | undefined
}

export const sendContext = (
  { ctx, upstream, isBusy }: RelayContext,
  channel: SendContext['channel'],
  gone: AbortSignal,
  { lingersMs = 0, timeoutMs, traceparent, files = { fetched: null }, mayFetch = async () => {} }: SendOptions = {},
): SendContext => ({
  post: channel.proxy === '' ? upstream.post : proxiedClient(channel.proxy).post,
  fetch: fetchThrough(channel.proxy, ctx.fetch),
  channel,
  clock: ctx.clock,
  gone,
  lingersMs,
  headersTimeoutMs: timeoutMs ?? ctx.config.UPSTREAM_HEADERS_TIMEOUT * 1000,
  idleTimeoutMs: timeoutMs ?? ctx.config.UPSTREAM_IDLE_TIMEOUT * 1000,
  traceparent,
  files,
  mayFetch,
  isBusy,
})

/** The result of one attempt; a value, because the caller branches on it. */
export type SendResult =
  | { readonly ok: true; readonly answer: UpstreamAnswer }
  | {
      readonly ok: false
      readonly fault: ChatFault
      readonly retryAfter: string | null
      readonly clientGone?: boolean
      readonly clientsFault?: boolean
      /** Why nothing could be sent, where that is a slip of our own. */
      readonly unwritten?: Unwritable
    }

/** What no header may carry is the client's slip, not the channel's. */
export const printable = (value: string | null): string | undefined =>
  value === null || /[^\t\x20-\x7e]/.test(value) ? undefined : value

export function targetOf(
  ask: Ask,
  channel: RoutedChannel,
  { http, url }: Pick<InboundRequest, 'http' | 'url'>,
  bound: AnswerBound = unbounded,
): Target {
  const { door } = ask.entrance
  return {
    channelId: channel.id,
    type: channel.type,
    key: channel.key,
    baseUrl: channel.baseUrl,
    other: channel.other,
    model: channel.mapping.get(ask.model) ?? ask.model,
    operation: door.operation,
    bound,
    stream: ask.stream,
    clientDialect: door.dialect.id,
    path: url.pathname,
    query: () => url.searchParams,
    passed: (header) => printable(http.headers.get(header)),
  }
}

/** Sends a request through one channel, up to the first byte of a good answer. */
export async function send(ctx: SendContext, ask: Ask, target: Target): Promise<SendResult> {
  const provider = providerOf(target.type)
  const stop = createStop()
  if (ctx.gone.aborted) stop.now()
  else if (ctx.lingersMs === 0) ctx.gone.addEventListener('abort', () => stop.now(), once)
  const silence = watchSilence(stop, ctx.idleTimeoutMs, ctx.headersTimeoutMs, ctx.lingersMs === 0 ? null : ctx)
  const tools = createTools(ctx, stop)
  try {
    const { overrides } = ctx.channel
    const made = outgoing(ask, { provider, target, tools, overrides })
    const later = target.api?.name === 'responses' ? laterOverrides(overrides) : overrides
    const sent = withOverrides(made instanceof Promise ? await made : made, later)
    // Files take a while to fetch: whoever left meanwhile has asked nobody.
    if (ctx.gone.aborted) throw new ClientGone()
    const sending: Sending = { reading: sent.reading, provider, target, tools, silence, stop }
    if (isSocket(sent)) return openSocket(ctx, sending, sent)
    const call = provider.call(target, typeof sent.body === 'string' ? sent.body : '', tools)
    const called = call instanceof Promise ? await call : call
    const posted = sent.body.length > longBytes ? await inTurn(() => post(ctx, called, sent)) : post(ctx, called, sent)
    stop.ends(posted.abort)
    const response = await posted.answer
    if (ctx.isBusy()) await inStep()
    // The head is here: from now on silence between bytes counts.
    silence.reset()
    const isGood = response.status >= 200 && response.status <= 299
    return isGood ? { ok: true, answer: httpAnswer(sending, response) } : await refused(ctx, sending, response)
  } catch (error) {
    silence.stop()
    stop.now()
    if (silence.stalled()) {
      const fault = hinted(refusal('upstreamTimeout'), provider.retired?.(target))
      return { ok: false, fault, retryAfter: null, clientGone: ctx.gone.aborted }
    }
    return failed(error, ctx, provider.retired?.(target))
  }
}

const once = { once: true }

const withOverrides = (sent: Outgoing, overrides: Overrides | null): Outgoing =>
  overrides && typeof sent.body === 'string' ? { ...sent, body: overridden(sent.body, overrides) } : sent

const isSocket = ({ reading }: Outgoing): boolean =>
  reading.kind === 'translated' && reading.upstream.framing === 'websocket'

function post(ctx: SendContext, { url, headers }: UpstreamCall, { body, contentType }: Outgoing) {
  if (ctx.channel.headers) setHeaders(headers, ctx.channel.headers)
  if (ctx.traceparent !== undefined) headers.traceparent = ctx.traceparent
  headers['content-type'] = contentType
  return ctx.post(url, headers, body)
}

/** Names are one whatever their case. Credentials cannot be among them: that is checked when they are stored. */
function setHeaders(headers: Record<string, string>, more: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(more)) {
    const plain = name.toLowerCase()
    for (const other in headers) if (other.toLowerCase() === plain) delete headers[other]
    headers[plain] = value
  }
}

function openSocket(ctx: SendContext, sending: Sending, { body }: Outgoing): SendResult {
  const { provider, target, tools } = sending
  if (ctx.channel.proxy !== '') throw new UpstreamFault(refusal('proxyUnusable'))
  if (!provider.socket || typeof body !== 'string') throw new Error('the provider has no socket')
  return { ok: true, answer: socketAnswer(sending, provider.socket(target, body, tools)) }
}

async function refused(
  ctx: SendContext,
  { reading, target, provider, silence }: Sending,
  response: HttpResponse,
): Promise<SendResult> {
  const text = await response.bytes().then(textIn, () => '')
  silence.stop()
  const body = parseJson(text) ?? text
  const fault = hinted(faultOf(reading, response.status, body), provider.retired?.(target))
  const retryAfter = waitingTime(response.header('retry-after')) ?? pauseIn(body)
  return { ok: false, fault, retryAfter, clientGone: ctx.gone.aborted }
}

/** A vendor never gives it. */
const refusedByProxy = 407

function faultOf(reading: Reading, status: number, body: unknown): ChatFault {
  if (status === refusedByProxy) return refusal('proxyFailed')
  const decode = reading.kind === 'operation' ? faultOfBody : reading.upstream.decodeError
  return status >= 400
    ? decode(status, body)
    : { ...refusal('upstreamFailed'), message: `The upstream answered with status ${status}.` }
}

/** Says first what is wrong with a service its vendor has switched off. */
const hinted = (fault: ChatFault, hint: string | undefined): ChatFault =>
  hint ? { ...fault, message: `${hint} (${fault.message})` } : fault

/** The fault inside the events of a whole answer, if there is one. */
export const faultIn = (events: readonly ChatEvent[]): ChatFault | undefined =>
  events.find((event) => event.type === 'fault')?.fault

export const streamFramed = (contentType: string | null, upstream: UpstreamDialect): boolean => {
  if (upstream.framing === 'websocket' || upstream.framing === 'ndjson') return true
  return contentType?.includes('application/json') !== true
}

function failed(error: unknown, { gone, channel }: SendContext, hint: string | undefined): SendResult {
  if (gone.aborted) return { ok: false, fault: refusal('upstreamFailed'), retryAfter: null, clientGone: true }
  if (error instanceof Unwritable) return { ok: false, fault: refusal('internal'), retryAfter: null, unwritten: error }
  if (error instanceof UpstreamFault) return { ok: false, fault: hinted(error.fault, hint), retryAfter: null }
  if (error instanceof RelayFault) return { ok: false, fault: error.fault, retryAfter: null, clientsFault: true }
  if (error instanceof BadRequest) {
    const fault: ChatFault = {
      status: 400,
      type: 'invalid_request_error',
      code: 'invalid_request',
      message: error.message,
      ...(error.param ? { param: error.param } : {}),
      ...(error.details ? { details: error.details } : {}),
    }
    return { ok: false, fault, retryAfter: null, clientsFault: true }
  }
  const fault = refusal(channel.proxy === '' ? 'upstreamFailed' : 'proxyFailed')
  return { ok: false, fault: hinted(fault, hint), retryAfter: null }
}
