import type { ChatEvent, Citation } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { amountOf, arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { charactersIn } from './citations.ts'

/** Longer answers are not remembered to find what is cited in them, and more is not cited. */
const textMax = 1_000_000
const citationsMax = 500

/** Google counts positions in bytes. */
const charactersUpTo = (bytes: Buffer, offset: number): number =>
  charactersIn(bytes.subarray(0, Math.min(offset, bytes.length)).toString())

const pageOf = (chunk: unknown): Pick<Citation, 'url' | 'title'> | undefined => {
  const page = objectOf(objectOf(chunk)?.web) ?? objectOf(objectOf(chunk)?.retrievedContext)
  const url = textOf(page?.uri)
  return url ? { url, title: textOf(page?.title) ?? '' } : undefined
}

/** What grounding says of a text: which pages stand behind which of its sentences. */
function citationsIn(grounding: JsonObject, text: string): Citation[] {
  const pages = arrayOf(grounding.groundingChunks).map(pageOf)
  const supports = arrayOf(grounding.groundingSupports).map((entry) => objectOf(entry) ?? {})
  const bytes = Buffer.from(text)
  const found = supports.flatMap(({ segment, groundingChunkIndices }) => {
    const { startIndex, endIndex } = objectOf(segment) ?? {}
    const start = charactersUpTo(bytes, amountOf(startIndex))
    const end = charactersUpTo(bytes, amountOf(endIndex))
    return arrayOf(groundingChunkIndices).flatMap((at) => {
      const page = pages[Number(at)]
      return page ? [{ ...page, start, end }] : []
    })
  })
  const whole = { start: 0, end: charactersIn(text) }
  return found.length > 0 ? found : pages.flatMap((page) => (page ? [{ ...page, ...whole }] : []))
}

/** Reads what each answer of Gemini cites, once, though its stream may say it again. */
export function createGroundingReader() {
  const texts = new Map<number, string>()
  const given = new Set<string>()
  return {
    say(choice: number, events: readonly ChatEvent[]): void {
      for (const event of events) {
        const before = texts.get(choice) ?? ''
        if (event.type === 'text-delta' && before.length < textMax) texts.set(choice, before + event.text)
      }
    },
    cite(choice: number, grounding: JsonObject | undefined): Citation[] {
      if (!grounding) return []
      return citationsIn(grounding, texts.get(choice) ?? '').filter((citation) => {
        const key = JSON.stringify([choice, citation])
        if (given.has(key) || given.size >= citationsMax) return false
        given.add(key)
        return true
      })
    },
  }
}

/** The same for Google's clients: each page once, and the sentences it stands behind. */
export function encodeGrounding(text: string, citations: readonly Citation[] = []): { [key: string]: Json } {
  if (citations.length === 0) return {}
  const urls = [...new Set(citations.map(({ url }) => url))]
  const characters = [...text]
  const bytesUpTo = (at: number) => Buffer.byteLength(characters.slice(0, at).join(''))
  const groundingChunks = urls.map((uri) => {
    const title = citations.find(({ url }) => url === uri)?.title ?? ''
    return { web: { uri, title } }
  })
  const groundingSupports = citations.map(({ url, start, end }) => ({
    segment: {
      startIndex: bytesUpTo(start),
      endIndex: bytesUpTo(end),
      text: characters.slice(start, end).join(''),
    },
    groundingChunkIndices: [urls.indexOf(url)],
  }))
  return { groundingMetadata: { groundingChunks, groundingSupports } }
}
