import { collectBytes, textIn } from '#server/lib/http1/http-response.ts'
import { parseJson } from '#server/lib/json.ts'

/** Answers of login services and the like are small. */
const bytesMax = 4 * 1024 * 1024

/** The JSON of an answer; undefined when it is none, or longer than it has any reason to be. */
export async function boundedJson(response: Response): Promise<unknown> {
  const reader = response.body?.getReader()
  const next = async () => ((await reader?.read()) ?? { done: true, value: undefined }) as IteratorResult<Uint8Array>
  try {
    return parseJson(textIn(await collectBytes(next, { bytesMax })))
  } catch {
    await reader?.cancel().catch(() => {})
    return undefined
  }
}
