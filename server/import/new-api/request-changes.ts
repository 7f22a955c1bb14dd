import { z } from 'zod'
import type { ChannelFacts } from '#server/import/form.ts'
import { arrayOf, objectOf, parseObject } from '#server/lib/json.ts'
import type { SourceChannel } from './rows.ts'

interface RequestChanges extends Pick<ChannelFacts, 'overrides' | 'proxy' | 'remarks' | 'doubts'> {
  readonly headerSet: Readonly<Record<string, string>>
}

const word = z.string().catch('')
const Setting = z.object({ proxy: word, system_prompt: word }).loose()

const isEmpty = (json: string): boolean => json.trim() === '' || Object.keys(parseObject(json)).length === 0

/** What the channel adds to requests: headers, changes of the body, a proxy. */
export function requestChangesOf(channel: SourceChannel): RequestChanges {
  const { proxy, system_prompt: prompt, ...others } = Setting.parse(parseObject(channel.setting))
  const headers = headersOf(channel)
  const body = overridesOf(channel.param_override)
  const on = Object.entries(others).flatMap(([name, value]) => (value === true ? [name] : []))
  return {
    headerSet: headers.set,
    overrides: body.overrides,
    proxy,
    doubts: [...headers.doubts, ...body.doubts],
    remarks: [
      ...(prompt === '' ? [] : ['system prompt of the channel is not used here']),
      ...(isEmpty(channel.status_code_mapping) ? [] : ['mapping of status codes is not used here']),
      ...on.map((name) => `setting ${name} of the channel is not used here`),
    ],
  }
}

/** Headers that depend on the request cannot be kept: what the vendor would see is not known. */
function headersOf({ header_override, open_ai_organization, openai_organization }: SourceChannel) {
  const organization = open_ai_organization || openai_organization
  const given = parseObject(header_override)
  const isReadable = header_override.trim() === '' || header_override.trim().startsWith('{')
  const wanted = Object.entries(given)
  const isPlain = ([name, value]: [string, unknown]): boolean =>
    typeof value === 'string' && !/\{(api_key|client_header:)/.test(value) && !/^(\*|re(gex)?:)/.test(name)
  const set = Object.fromEntries(wanted.filter(isPlain).map(([name, value]) => [name, String(value)]))
  const doubts = isReadable && wanted.every(isPlain) ? [] : ['its headers cannot be kept']
  return { set: { ...(organization === '' ? {} : { 'OpenAI-Organization': organization }), ...set }, doubts }
}

const Operation = z.object({
  path: z.string(),
  mode: z.enum(['set', 'delete']),
  value: z.unknown().optional(),
  keep_origin: z.boolean().default(false),
  conditions: z.array(z.unknown()).max(0).nullish(),
})

/** Plain fields, or a list of operations, of which ours know to set and to remove fields of the first level. */
function overridesOf(text: string): { overrides: string; doubts: string[] } {
  if (isEmpty(text)) {
    return text.trim().length > 2 ? { overrides: '', doubts: ['its overrides are no JSON object'] } : none
  }
  const given = parseObject(text)
  if (!Array.isArray(given.operations)) return { overrides: JSON.stringify({ set: given }), doubts: [] }
  const parts = { set: {} as Record<string, unknown>, default: {} as Record<string, unknown>, remove: [] as string[] }
  for (const each of arrayOf(given.operations)) {
    const operation = Operation.safeParse(objectOf(each))
    if (!operation.success || /[.*#[]/.test(operation.data.path)) return lost
    const { path, mode, value = null, keep_origin } = operation.data
    if (mode === 'delete') parts.remove.push(path)
    else (keep_origin ? parts.default : parts.set)[path] = value
  }
  return { overrides: JSON.stringify(parts), doubts: [] }
}

const none = { overrides: '', doubts: [] }
const lost = { overrides: '', doubts: ['its overrides cannot be kept'] }
