import { Pieces } from '#server/lib/streams/pieces.ts'

/** The text of an answer, or null when it is larger than allowed; what is beyond is not read. */
export async function boundedText(response: Response, bytesMax: number): Promise<string | null> {
  if (Number(response.headers.get('content-length') ?? 0) > bytesMax) {
    await response.body?.cancel()
    return null
  }
  const chunks = new Pieces()
  for await (const chunk of response.body ?? []) {
    chunks.add(chunk)
    if (chunks.size > bytesMax) return null
  }
  return new TextDecoder().decode(chunks.take())
}
