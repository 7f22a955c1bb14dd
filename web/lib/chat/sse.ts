/** The data of each event of a stream, as it comes. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    const lines = (rest + (value ?? '')).split(/\r?\n/)
    rest = done ? '' : (lines.pop() ?? '')
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim()
    if (done) return
  }
}
