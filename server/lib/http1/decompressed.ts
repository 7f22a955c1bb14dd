import { words } from '#server/lib/words.ts'
import { collectBytes, type HttpResponse, MalformedAnswer } from './http-response.ts'

const formats = words({
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
  zstd: 'zstd',
})

/** The answer, decompressed. We never ask for compression; some upstreams compress anyway. */
export function decompressed(answer: HttpResponse): HttpResponse {
  const coding = answer.header('content-encoding')?.toLowerCase()
  if (coding === undefined || coding === '' || coding === 'identity') return answer
  const format = formats[coding]
  if (format === undefined) throw new MalformedAnswer('the answer is compressed in an unknown way')
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await answer.next()
      if (done) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    },
  })
  const stream = compressed.pipeThrough(new DecompressionStream(format as CompressionFormat))
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
