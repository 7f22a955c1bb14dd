import { channelTypes } from '#shared/channel-types.ts'

const created = 1_626_777_600

const owners = new Map(
  channelTypes.flatMap((type) => type.models.map((model) => [model, type.label.toLowerCase()] as const)).reverse(),
)

export const modelEntry = (id: string) => ({
  id,
  object: 'model',
  created,
  owned_by: owners.get(id) ?? 'custom',
  root: id,
  parent: null,
})

/** OpenAI's list, shared by its chat and responses formats. */
export const modelList = (ids: readonly string[]) => ({ object: 'list', data: ids.map(modelEntry) })
