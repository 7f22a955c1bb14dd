import { AppError } from '#shared/errors.ts'

/** The body as text, refused as soon as it grows past the limit. */
export async function boundedText(request: Request, bytesMax: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw new AppError('request.too_large')
  if (!request.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > bytesMax) throw new AppError('request.too_large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
