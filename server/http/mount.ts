import type { z } from 'zod'
import type { Endpoint } from '#shared/contract.ts'
import type { Access } from '#shared/roles.ts'
import type { Call, UserCall } from './call.ts'

/** An endpoint with the function that serves it. */
export interface Route {
  readonly endpoint: Endpoint
  serve(call: Call<unknown>): Promise<unknown>
}

type CallFor<Who extends Access, Input> = Who extends 'public' ? Call<Input> : UserCall<Input>

/** Ties an endpoint of the contract to its function; input and output are checked against the endpoint's schemas. */
export function route<Input extends z.ZodObject, Output extends z.ZodType, Who extends Access>(
  endpoint: Endpoint<Input, Output, Who>,
  /** A file is answered as a `Response` of its own. */
  serve: (call: CallFor<Who, z.output<Input>>) => z.input<Output> | Response | Promise<z.input<Output> | Response>,
): Route {
  return { endpoint, serve: async (call) => serve(call as CallFor<Who, z.output<Input>>) }
}
