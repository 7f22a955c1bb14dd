import type { ChatEvent, Citation } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { charactersIn } from './citations.ts'

/** Anthropic cites for a whole block of text. Documents without an address are no use elsewhere. */
export function createBlockCitations() {
  let said = 0
  let from = 0
  let pending: JsonObject[] = []
  return {
    open(): void {
      from = said
      pending = []
    },
    say(text: string): void {
      said += charactersIn(text)
    },
    cite(citation: unknown): void {
      pending.push(objectOf(citation) ?? {})
    },
    /** Those of the block that ends. */
    close(): ChatEvent[] {
      const cited = pending.flatMap((wire): ChatEvent[] => {
        const url = textOf(wire.url) ?? textOf(wire.source) ?? ''
        if (!/^https?:/i.test(url)) return []
        const title = textOf(wire.title) ?? ''
        return [{ type: 'citation', citation: { url, title, start: from, end: said } }]
      })
      pending = []
      return cited
    },
  }
}

/** What others found is cited as a search of Anthropic's; only what Anthropic found itself has an index. */
export const encodeClaudeCitation = ({ url, title }: Citation): Json => ({
  type: 'web_search_result_location',
  url,
  title,
  cited_text: '',
  encrypted_index: '',
})

/** Whether Anthropic would not know the citation again. */
export const isForeignCitation = (citation: unknown): boolean => {
  const { type, encrypted_index } = objectOf(citation) ?? {}
  return type === 'web_search_result_location' && encrypted_index === ''
}

/** The citations of each text, by where they begin; what begins behind the last belongs to it. */
export function citationsByText(texts: readonly string[], citations: readonly Citation[]): Citation[][] {
  let end = 0
  const ends = texts.map((text) => {
    end += charactersIn(text)
    return end
  })
  const lists: Citation[][] = texts.map(() => [])
  for (const citation of citations) {
    const at = ends.findIndex((each) => citation.start < each)
    lists.at(at)?.push(citation)
  }
  return lists
}
