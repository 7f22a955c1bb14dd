import type { ApiOperation, OpenApi } from './document.ts'
import { type Html, html } from './html.ts'
import type { JsonSchema } from './json-schema.ts'

const style = html`
:root { color-scheme: light dark; --line: light-dark(#d9dde3, #333a44); --soft: light-dark(#f5f6f8, #1a1e24); --dim: light-dark(#55606e, #9aa5b3) }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem; background: light-dark(#fff, #111418); color: light-dark(#16191d, #e6e9ed) }
h1 { font-size: 1.5rem } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); text-transform: capitalize }
a { color: light-dark(#1452b8, #7fb2ff) } nav a { margin-right: .9rem; text-transform: capitalize }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0 } summary { padding: .5rem .75rem; cursor: pointer }
details > div { padding: 0 .75rem .75rem; overflow-x: auto }
code, pre, .method { font-family: ui-monospace, monospace; font-size: .87rem } .method { display: inline-block; width: 4rem; font-weight: 600 }
.dim { color: var(--dim) } pre { background: var(--soft); padding: .75rem; border-radius: 6px; overflow-x: auto }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line) }
`

const accessWords: Readonly<Record<string, string>> = {
  public: 'anyone',
  user: 'any user',
  admin: 'administrators',
  root: 'the super administrator',
}

/** A schema in one short line, as one would write it in TypeScript. */
function typeWords(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeWords).join(' | ')
  if (schema.type === 'array') return `${typeWords(schema.items ?? {})}[]`
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => `${name}: ${typeWords(field)}`)
    return `{ ${fields.join(', ')} }`
  }
  if (typeof schema.additionalProperties === 'object')
    return `Record<string, ${typeWords(schema.additionalProperties)}>`
  return Array.isArray(schema.type) ? schema.type.join(' | ') : String(schema.type ?? 'anything')
}

const row = (name: string, place: string, required: boolean, schema: JsonSchema): Html => html`<tr>
<td><code>${name}</code></td><td>${place}</td><td><code>${typeWords(schema)}</code></td>
<td>${required ? 'required' : schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`}</td></tr>`

type Body = { content: { 'application/json': { schema: JsonSchema } } }
const schemaOf = (holder: unknown): JsonSchema => (holder as Body).content['application/json'].schema

function inputTable({ parameters, requestBody }: ApiOperation): Html {
  const body = requestBody === undefined ? {} : schemaOf(requestBody)
  const rows = [
    ...parameters.map((parameter) => row(parameter.name, parameter.in, parameter.required, parameter.schema)),
    ...Object.entries(body.properties ?? {}).map(([name, schema]) =>
      row(name, 'body', body.required?.includes(name) ?? false, schema),
    ),
  ]
  if (rows.length === 0) return html`<p class="dim">Takes no input.</p>`
  return html`<table><thead><tr><th>Name</th><th>In</th><th>Type</th><th></th></tr></thead><tbody>${rows}</tbody></table>`
}

function operationBlock(method: string, path: string, operation: ApiOperation): Html {
  const data = schemaOf(operation.responses['200']).anyOf?.[0]?.properties?.data
  return html`<details id="${operation.operationId}"><summary><span class="method">${method.toUpperCase()}</span>
<code>${path}</code> <span class="dim">${operation.summary}</span></summary>
<div><p>For ${accessWords[operation['x-access']] ?? operation['x-access']}. ${operation.description}</p>
${inputTable(operation)}
<p>Answers <code>data</code>:</p><pre>${data ? typeWords(data) : 'nothing'}</pre></div></details>`
}

/** The OpenAPI document for people. */
export function apiPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, tag: operation.tags[0] ?? '' })),
  )
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const sections = tags.map((tag) => {
    const own = operations.filter((entry) => entry.tag === tag)
    return html`<h2 id="${tag}">${tag}</h2>${own.map(({ method, path, operation }) => operationBlock(method, path, operation))}`
  })
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title}</title><style>${style}</style></head>
<body><main><h1>${document.info.title} <span class="dim">${document.info.version}</span></h1>
<p>${document.info.description}</p>
<p>For programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav aria-label="Resources">${tags.map((tag) => html`<a href="#${tag}">${tag}</a>`)}</nav>
${sections}</main></body></html>
`.html
}
