import { type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { storedCall } from '#server/relay/upstream/stored-call.ts'
import { streamVendor } from '#server/relay/upstream/vendor-stream.ts'
import { madeIn } from '#server/relay/upstream/vendor-thing.ts'
import { linesOf } from './lines.ts'
import { openaiFile } from './openai-batches.ts'

/** The line with the vendor's name of its model. */
function renamed(text: string, { mapping }: RoutedChannel): string {
  const line = JSON.parse(text) as JsonObject
  const body = objectOf(line.body)
  const model = mapping.get(textOf(body?.model) ?? '')
  return model === undefined ? text : JSON.stringify({ ...line, body: { ...body, model } })
}

/** How many bytes the lines of a file take with the names its vendor knows; 0 when it knows all of them. */
export function createRenaming(channel: RoutedChannel) {
  let size = 0
  let isNeeded = false
  return {
    add(text: string, model: unknown): void {
      isNeeded ||= channel.mapping.has(textOf(model) ?? '')
      size += Buffer.byteLength(renamed(text, channel)) + 1
    },
    bytes: (): number => (isNeeded ? size : 0),
  }
}

const boundary = 'switchyard-batch'
const head = [
  `--${boundary}\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n`,
  `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="batch.jsonl"\r\n`,
  'content-type: application/jsonl\r\n\r\n',
].join('')
const tail = `\r\n--${boundary}--\r\n`

/** The file of a batch with the vendor's names of its models; only one line is in memory at a time. */
export async function renamedFile(
  context: RelayContext,
  channel: RoutedChannel,
  file: { readonly id: string; readonly bytes: number },
  gone: AbortSignal,
): Promise<string> {
  const reading = new AbortController()
  const read = AbortSignal.any([gone, reading.signal])
  const lines = linesOf(await openaiFile(context, channel, file.id, read))
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (to) => to.enqueue(encoder.encode(head)),
    async pull(to) {
      const { done, value } = await lines.next()
      to.enqueue(encoder.encode(done ? tail : `${renamed(value, channel)}\n`))
      if (done) to.close()
    },
  })
  const call = storedCall(channel, '/files', {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + file.bytes + tail.length),
  })
  try {
    const answer = await streamVendor(context, channel, { method: 'POST', call, body }, gone)
    const { id } = await madeIn(answer, channel.key)
    return textOf(id) ?? ''
  } finally {
    // A vendor that refuses does so before it has taken the whole file.
    reading.abort()
  }
}
