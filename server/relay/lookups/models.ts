import type { Caller } from '#server/relay/request/caller.ts'
import type { RoutingTable } from '#server/relay/routing/routing-table.ts'
import { channelTypes } from '#shared/channel-types.ts'

const created = 1_626_777_600

const owners = new Map(
  channelTypes.flatMap((type) => type.models.map((model) => [model, type.label.toLowerCase()] as const)).reverse(),
)

/** The models a caller can use, sorted. */
export function modelsFor(table: RoutingTable, caller: Caller): string[] {
  const reachable = table.modelsOf(caller.groups)
  const { models } = caller
  return models ? reachable.filter((model) => models.has(model)) : reachable
}

export const openaiModel = (id: string) => ({
  id,
  object: 'model',
  created,
  owned_by: owners.get(id) ?? 'custom',
  root: id,
  parent: null,
})

const anthropicModel = (id: string) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(created * 1000).toISOString(),
})

const geminiModel = (id: string) => ({
  name: `models/${id}`,
  displayName: id,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens', 'embedContent'],
})

/** The list in the form the client expects: by its path, else by its headers. */
export function modelList(ids: readonly string[], shape: 'openai' | 'anthropic' | 'gemini') {
  if (shape === 'gemini') return { models: ids.map(geminiModel) }
  if (shape === 'anthropic') {
    return { data: ids.map(anthropicModel), has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null }
  }
  return { object: 'list', data: ids.map(openaiModel) }
}

export function modelEntry(id: string, shape: 'openai' | 'anthropic' | 'gemini') {
  if (shape === 'gemini') return geminiModel(id)
  return shape === 'anthropic' ? anthropicModel(id) : openaiModel(id)
}
