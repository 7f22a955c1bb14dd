import type { Context } from '#server/context.ts'
import { objectOf, parseJson, textOf } from '#server/lib/json.ts'
import type { JsonBody } from '#server/relay/request/ask.ts'
import { geminiFileOf } from './file-addresses.ts'
import type { StateRow } from './state.store.ts'

/** The body with the addresses that Google knows its files by, where it names the relay's. The same when it names none. */
export function withVendorAddresses(
  { secrets }: Pick<Context, 'secrets'>,
  body: JsonBody,
  rows: readonly StateRow[],
): JsonBody {
  const known = new Map<string, string>()
  for (const { kind, id, body_sealed } of rows) {
    const uri = kind === 'gemini-file' ? textOf(objectOf(parseJson(secrets.open(body_sealed)))?.uri) : undefined
    if (uri !== undefined) known.set(id, uri)
  }
  if (known.size === 0) return body
  const replaced = (key: string, value: unknown): unknown => {
    const name =
      (key === 'fileUri' || key === 'file_uri') && typeof value === 'string' ? geminiFileOf(value) : undefined
    return name === undefined ? value : (known.get(name) ?? value)
  }
  return JSON.parse(JSON.stringify(body, replaced))
}
