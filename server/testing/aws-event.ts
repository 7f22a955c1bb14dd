/** An event of AWS: headers as strings, the payload, and both checksums. */
export function awsEvent(type: string, payload: unknown): Uint8Array {
  const header = (name: string, value: string) => {
    const head = Buffer.alloc(4 + name.length)
    head.writeUInt8(name.length, 0)
    head.write(name, 1)
    head.writeUInt8(7, 1 + name.length)
    head.writeUInt16BE(value.length, 2 + name.length)
    return Buffer.concat([head, Buffer.from(value)])
  }
  const headers = Buffer.concat([header(':message-type', 'event'), header(':event-type', type)])
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(12 + headers.length + body.length + 4, 0)
  prelude.writeUInt32BE(headers.length, 4)
  const crc = (bytes: Uint8Array) => {
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(Number(Bun.hash.crc32(bytes)))
    return sum
  }
  const start = Buffer.concat([prelude, crc(prelude), headers, body])
  return Buffer.concat([start, crc(start)])
}
