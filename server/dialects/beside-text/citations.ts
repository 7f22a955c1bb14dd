import type { ChatEvent, Citation } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { amountOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'

/** How OpenAI counts positions in a text. */
export function charactersIn(text: string): number {
  if (!/[\ud800-\udfff]/.test(text)) return text.length
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** An address OpenAI's answers cite; files only its own tools know are no use elsewhere. */
function citationOf(wire: JsonObject, from: number): Citation[] {
  const url = textOf(wire.url)
  if (!url) return []
  const title = textOf(wire.title) ?? ''
  return [{ url, title, start: from + amountOf(wire.start_index), end: from + amountOf(wire.end_index) }]
}

/** Chat keeps the citation in a field named after its kind. */
export const decodeChatCitation = (annotation: unknown): Citation[] =>
  citationOf(objectOf(objectOf(annotation)?.url_citation) ?? {}, 0)

export const encodeChatCitation = ({ url, title, start, end }: Citation): Json => ({
  type: 'url_citation',
  url_citation: { url, title, start_index: start, end_index: end },
})

/** `from` is where the text of its part begins. */
export const encodeCitation = ({ url, title, start, end }: Citation, from: number): Json => ({
  type: 'url_citation',
  url,
  title,
  start_index: Math.max(0, start - from),
  end_index: Math.max(0, end - from),
})

/** Reads the citations of a response, whose positions count from the beginning of their part. */
export function createCitationReader() {
  const parts = new Map<string, { readonly from: number; given: number }>()
  let said = 0
  const partAt = (key: string) => {
    const part = parts.get(key) ?? { from: said, given: 0 }
    parts.set(key, part)
    return part
  }
  const cite = (key: string, annotations: readonly unknown[]): ChatEvent[] => {
    const part = partAt(key)
    part.given += annotations.length
    return annotations.flatMap((annotation) =>
      citationOf(objectOf(annotation) ?? {}, part.from).map((citation) => ({ type: 'citation', citation }) as const),
    )
  }
  return {
    say(key: string, text: string): void {
      partAt(key)
      said += charactersIn(text)
    },
    cite,
    /** Those of a finished part that were not sent before. */
    rest: (key: string, annotations: readonly unknown[]) => cite(key, annotations.slice(partAt(key).given)),
  }
}
