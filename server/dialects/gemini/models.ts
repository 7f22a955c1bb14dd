export const modelEntry = (id: string) => ({
  name: `models/${id}`,
  displayName: id,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens', 'embedContent'],
})

export const modelList = (ids: readonly string[]) => ({ models: ids.map(modelEntry) })
