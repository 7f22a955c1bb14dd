import { z } from 'zod'
import { api } from '#shared/api/all.ts'
import type { Endpoint } from '#shared/contract.ts'
import { errors } from '#shared/errors.ts'
import { type JsonSchema, jsonSchema } from './json-schema.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: JsonSchema
}

export interface ApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Record<string, readonly string[]>[]
  /** Who may call: public, or at least this role. */
  readonly 'x-access': string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, unknown>>
}

export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: unknown
}

const refusals = {
  '400': 'The body is not JSON',
  '401': 'Not logged in, or the login has expired',
  '403': 'The role is too low, the user is banned, or another site made the browser send this',
  '413': 'The body is too large',
  '429': 'Too many requests',
  '500': 'Something unexpected went wrong',
  '503': 'The database cannot be reached; retry in a moment',
}

const failureRef = { $ref: '#/components/schemas/Failure' }
const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })

const hasBody = ({ method }: Endpoint) => method === 'POST' || method === 'PUT'

function parametersOf(endpoint: Endpoint, input: JsonSchema): Parameter[] {
  const inPath = new Set([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name))
  const required = new Set(input.required)
  return Object.entries(input.properties ?? {}).flatMap(([name, schema]): Parameter[] => {
    if (inPath.has(name)) return [{ name, in: 'path', required: true, schema }]
    if (hasBody(endpoint) && !endpoint.query.includes(name)) return []
    return [{ name, in: 'query', required: required.has(name), schema }]
  })
}

function bodyOf(endpoint: Endpoint, input: JsonSchema, parameters: readonly Parameter[]): object {
  if (!hasBody(endpoint)) return {}
  const elsewhere = new Set(parameters.map(({ name }) => name))
  const here = Object.entries(input.properties ?? {}).filter(([name]) => !elsewhere.has(name))
  if (here.length === 0) return {}
  const required = (input.required ?? []).filter((name) => !elsewhere.has(name))
  const schema = { type: 'object', properties: Object.fromEntries(here), ...(required.length > 0 ? { required } : {}) }
  return { requestBody: { required: true, ...json(schema) } }
}

function envelope(endpoint: Endpoint): JsonSchema {
  const data = endpoint.output instanceof z.ZodVoid ? undefined : jsonSchema(endpoint.output, 'output')
  const lifted = endpoint.lift.flatMap((name) => (data?.properties?.[name] ? [[name, data.properties[name]]] : []))
  return {
    type: 'object',
    properties: {
      success: { const: true },
      message: { type: 'string' },
      ...(data ? { data } : {}),
      ...Object.fromEntries(lifted),
    },
    required: ['success', 'message', ...(data ? ['data'] : [])],
  }
}

function responsesOf(endpoint: Endpoint): Record<string, unknown> {
  const answer = { anyOf: [envelope(endpoint), failureRef] }
  const unlikely = new Set([
    ...(endpoint.access === 'public' ? ['401'] : []),
    ...(hasBody(endpoint) ? [] : ['400', '413']),
  ])
  const refused = Object.keys(refusals).filter((status) => !unlikely.has(status))
  return {
    '200': { description: 'Done, or refused by a rule: `success` says which', ...json(answer) },
    ...Object.fromEntries(refused.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
  }
}

function operationOf(resource: string, name: string, endpoint: Endpoint): ApiOperation {
  const input = jsonSchema(endpoint.input, 'input')
  const parameters = parametersOf(endpoint, input)
  return {
    operationId: `${resource}.${name}`,
    tags: [resource],
    summary: endpoint.summary,
    description: endpoint.changes ? 'Changes something: refused when another site makes a browser send it.' : '',
    security: endpoint.access === 'public' ? [] : [{ session: [] }, { accessToken: [] }],
    'x-access': endpoint.access,
    parameters,
    ...bodyOf(endpoint, input, parameters),
    responses: responsesOf(endpoint),
  }
}

const components = {
  securitySchemes: {
    session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set by logging in.' },
    accessToken: { type: 'http', scheme: 'bearer', description: 'The system access token of a user.' },
  },
  schemas: {
    Failure: {
      type: 'object',
      properties: {
        success: { const: false },
        message: { type: 'string' },
        code: { enum: Object.keys(errors), description: 'Stable; `message` is for people.' },
      },
      required: ['success', 'message', 'code'],
    },
  },
  responses: Object.fromEntries(
    Object.entries(refusals).map(([status, description]) => [status, { description, ...json(failureRef) }]),
  ),
}

/** The console API as an OpenAPI document, drawn from the contract. */
export function openApiDocument(version: string): OpenApi {
  const paths: Record<string, Record<string, ApiOperation>> = {}
  for (const [resource, endpoints] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries(endpoints as Record<string, Endpoint>)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(resource, name, endpoint) }
    }
  }
  const description =
    'Every answer is `{success, message, data}`. A refusal by a rule is HTTP 200 with `success: false`. Paths work with and without their trailing slash.'
  return { openapi: '3.1.0', info: { title: 'Switchyard console API', version, description }, paths, components }
}
