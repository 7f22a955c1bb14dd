import type { CatalogueModel } from '#shared/api/models.ts'
import type { TFunction } from '#web/lib/i18n.ts'

export const wordOf = (t: TFunction, ability: string): string => {
  const words: Record<string, string> = t('models.words', { returnObjects: true })
  return words[ability] ?? ability
}

/** What a model is for where that is not chat; it is said by its name alone. */
const kinds = [
  [/embed/i, 'embeddings'],
  [/rerank/i, 'reranking'],
  [/whisper|tts|transcribe|speech/i, 'speech'],
  [/dall-e|image|imagen/i, 'pictures'],
] as const

/** What a model can do beside reading text. */
export const abilitiesOf = (t: TFunction, { id, input, features }: CatalogueModel): string =>
  [...(kinds.find(([name]) => name.test(id))?.slice(1) ?? []), ...input, ...features]
    .filter((ability) => ability !== 'text')
    .map((ability) => wordOf(t, String(ability)))
    .join(t('models.comma'))

/** 200000 → "200k", 1048576 → "1.0M". */
export function sizeText(tokens: number | null): string {
  if (tokens === null) return '–'
  if (tokens >= 1_000_000) return `${(tokens / 1_000_000).toFixed(1)}M`
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens)
}

const otherDoors = /embed|rerank|whisper|tts|transcribe|moderation|dall-e|image|sora|veo|imagen/i

/** The doors that lead to it; those for other things than chat say so by their name. */
export const speaksOf = (id: string): string => (otherDoors.test(id) ? '' : 'Chat, Responses, Messages, Gemini')
