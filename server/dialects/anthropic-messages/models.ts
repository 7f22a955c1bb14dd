const createdAt = new Date(1_626_777_600_000).toISOString()

export const modelEntry = (id: string) => ({ type: 'model', id, display_name: id, created_at: createdAt })

export const modelList = (ids: readonly string[]) => ({
  data: ids.map(modelEntry),
  has_more: false,
  first_id: ids[0] ?? null,
  last_id: ids.at(-1) ?? null,
})
