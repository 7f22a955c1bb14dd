import { z } from 'zod'
import { fault } from './faults.ts'
import type { Access } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * One operation of the console API, as a value used by both sides: the server mounts it, the console calls it, the OpenAPI
 * document is drawn from it.
 */
export interface Endpoint<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Who extends Access = Access,
> {
  readonly method: Method
  /** Names like `:id` are taken from the input. Of the rest, GET and DELETE send a query, POST and PUT a JSON body. */
  readonly path: `/api/${string}`
  /** Enforced by the server, read by the console to hide what would be refused. */
  readonly access: Who
  readonly summary: string
  /** Body keys it does not name are refused, but for those in `ignores`. */
  readonly input: Input
  /** Body keys that may come along and change nothing: a client may send a whole object back. */
  readonly ignores: readonly string[]
  /** The schema of `data`. Everything it does not name is stripped before the answer leaves. */
  readonly output: Output
  /** Input fields that travel in the query even when the method has a body. */
  readonly query: readonly string[]
  /** A GET that changes something: refused cross-site like a POST. Every other method changes something. */
  readonly changes: boolean
  /** Part of the own account: open to administrators who still lack the second factor that is asked of them. */
  readonly own: boolean
  /** Fields of `data` repeated at the top level of the envelope. */
  readonly lift: readonly string[]
  /** The longest body, in bytes. */
  readonly bodyMax: number
}

/** Strangers have little to say; who is logged in may send texts and lists. */
const bodyMaxFor = (access: Access): number => (access === 'public' ? 16 * 1024 : 1024 * 1024)

interface EndpointSource<Input extends z.ZodObject, Output extends z.ZodType, Who extends Access> {
  method: Method
  path: `/api/${string}`
  access: Who
  summary: string
  input?: Input
  output?: Output
  ignores?: readonly string[]
  query?: readonly string[]
  changes?: boolean
  own?: boolean
  lift?: readonly string[]
  bodyMax?: number
}

export function endpoint<
  const Who extends Access,
  Input extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Output extends z.ZodType = z.ZodVoid,
>(source: EndpointSource<Input, Output, Who>): Endpoint<Input, Output, Who> {
  return {
    method: source.method,
    path: source.path,
    access: source.access,
    summary: source.summary,
    input: (source.input ?? z.object({})) as Input,
    output: (source.output ?? z.void()) as Output,
    ignores: source.ignores ?? [],
    query: source.query ?? [],
    changes: source.changes ?? source.method !== 'GET',
    own: source.own ?? false,
    lift: source.lift ?? [],
    bodyMax: source.bodyMax ?? bodyMaxFor(source.access),
  }
}

export type InputOf<E extends Endpoint> = z.output<E['input']>
export type ArgsOf<E extends Endpoint> = z.input<E['input']>
export type OutputOf<E extends Endpoint> = z.output<E['output']>

/** Ids are positive whole numbers; in paths and queries they arrive as text. */
export const Id = z.coerce
  .number(fault('id.not'))
  .int(fault('id.not'))
  .min(1, fault('id.not'))
  .max(Number.MAX_SAFE_INTEGER, fault('id.not'))

/** An answer of the console API. */
export interface Envelope<Data> {
  success: boolean
  message: string
  /** Set on failures: the key in `shared/errors.ts`, so that the console can say it in the reader's language. */
  code?: string
  /** What the template of the code is filled with. */
  params?: Readonly<Record<string, string | number>>
  data?: Data
}
