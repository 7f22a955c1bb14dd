import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { Endpoint } from '#shared/contract.ts'
import type { ApiOperation, OpenApi } from './document.ts'

let app: TestApp
let document: OpenApi
beforeAll(async () => {
  app = await startTestApp()
  document = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as OpenApi
})
afterAll(() => app.stop())

const endpoints = Object.entries(api).flatMap(([resource, group]) =>
  Object.entries(group as Record<string, Endpoint>).map(([name, endpoint]) => ({
    id: `${resource}.${name}`,
    endpoint,
  })),
)

const operationOf = ({ path, method }: Endpoint): ApiOperation | undefined =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

test('every endpoint of the contract is described, with who may call it', () => {
  expect(endpoints.length).toBeGreaterThan(40)
  for (const { id, endpoint } of endpoints) {
    const operation = operationOf(endpoint)
    expect(operation?.operationId).toBe(id)
    expect(operation?.['x-access']).toBe(endpoint.access)
    expect(operation?.security.length === 0).toBe(endpoint.access === 'public')
  }
})

test('every input field is described once: in the path, the query or the body', () => {
  for (const { endpoint } of endpoints) {
    const operation = operationOf(endpoint)
    const body = (
      operation?.requestBody as { content: { 'application/json': { schema: { properties: object } } } } | undefined
    )?.content['application/json'].schema.properties
    const described = [...(operation?.parameters ?? []).map(({ name }) => name), ...Object.keys(body ?? {})]
    expect(described.sort()).toEqual(Object.keys(endpoint.input.shape).sort())
  }
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '')
  expect(references.length).toBeGreaterThan(0)
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document)
    expect(target, reference).toBeDefined()
  }
})

test.each(['/docs/api', '/docs/api/'])('the page for people at %s names every path and needs no script', async (at) => {
  const answer = await fetch(app.url + at)
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
  const page = await answer.text()
  expect(page).not.toContain('<script')
  for (const path of Object.keys(document.paths)) expect(page).toContain(`<code>${path}</code>`)
})
