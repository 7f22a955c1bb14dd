import type { JsonObject } from '#server/lib/json.ts'

/** Reasoning without a proof is known to OpenAI by its id alone. */
export const isBareReasoning = (item: JsonObject): boolean =>
  item.type === 'reasoning' && !item.encrypted_content && typeof item.id === 'string'

/** Whether an item refers to an earlier one. The type may be left out; a generated picture without its data is a reference too. */
export const isItemReference = (item: JsonObject): boolean =>
  item.type === 'item_reference' ||
  (item.type === 'image_generation_call' && typeof item.id === 'string' && !item.result) ||
  (!item.type && typeof item.id === 'string' && item.role === undefined && item.content === undefined)
