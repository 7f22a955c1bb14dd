import { words } from '#server/lib/words.ts'
import { collectBytes, type HttpResponse, MalformedAnswer } from './http-response.ts'

const formats = words<CompressionFormat>({
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli' as CompressionFormat,
  zstd: 'zstd' as CompressionFormat,
})

/** What unpacks a content coding: null when nothing is packed, undefined when nobody knows. */
export function unpacker(coding: string | null): DecompressionStream | null | undefined {
  const name = coding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return null
  const format = formats[name]
  return format && new DecompressionStream(format)
}

/** The answer, decompressed. We never ask for compression; some upstreams compress anyway. */
export function decompressed(answer: HttpResponse): HttpResponse {
  const unpack = unpacker(answer.header('content-encoding'))
  if (unpack === null) return answer
  if (unpack === undefined) throw new MalformedAnswer('the answer is compressed in an unknown way')
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await answer.next()
      if (done) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    },
  })
  const stream = compressed.pipeThrough(unpack)
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const next = () => {
    reader ??= stream.getReader()
    return reader.read() as Promise<IteratorResult<Uint8Array>>
  }
  return {
    status: answer.status,
    header: (name) => answer.header(name),
    next,
    bytes: (reading) => collectBytes(next, reading),
  }
}
