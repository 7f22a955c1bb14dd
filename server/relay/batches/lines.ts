import { unreadable } from '#server/dialects/fault.ts'
import { type JsonObject, objectOf, parseJson } from '#server/lib/json.ts'
import { createLineSplitter, FrameTooLong } from '#server/lib/streams/lines.ts'
import { pageType, safeType } from '#server/relay/answer/media-types.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import { type JsonBody, readJsonObject } from '#server/relay/request/ask.ts'
import { bytesOf } from '#server/relay/upstream/vendor-stream.ts'

/** A line as an object. One with a repeated key is refused, because the vendor might read the other value. */
export function readLine(text: string, number: number): JsonBody {
  try {
    return readJsonObject(text)
  } catch (error) {
    if (!(error instanceof RelayFault)) throw error
    const why = error.fault.message.replace(/^The request body/, 'it').replace(/\.$/, '')
    throw refuse('batchLine', { line: number, why })
  }
}

/** The lines of a file as it arrives from a vendor, without empty ones; only one line is in memory at a time. */
export async function* linesOf(answer: Response): AsyncGenerator<string> {
  if (safeType(answer.headers.get('content-type')) === pageType) throw new RelayFault(unreadable())
  const splitter = createLineSplitter()
  let count = 0
  try {
    for await (const piece of bytesOf(answer)) {
      for (const line of splitter.push(piece)) {
        count += 1
        if (line.trim() !== '') yield line
      }
    }
    const rest = splitter.rest()
    if (rest.trim() !== '') yield rest
  } catch (error) {
    if (error instanceof FrameTooLong) throw refuse('batchLine', { line: count + 1, why: 'it is too long' })
    throw error
  }
}

const isResult = ({ custom_id, key, response }: JsonObject): boolean => (custom_id ?? key ?? response) != null

/** The results of a batch. Throws when the file has lines and none of them is a result: the vendor is asked again later. */
export async function* resultsOf(answer: Response): AsyncGenerator<JsonObject> {
  let results = 0
  let others = 0
  for await (const text of linesOf(answer)) {
    const line = objectOf(parseJson(text))
    if (line && isResult(line)) {
      results += 1
      yield line
    } else others += 1
  }
  if (results === 0 && others > 0) throw new RelayFault(unreadable())
}
