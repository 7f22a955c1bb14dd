import { connect } from 'node:net'
import { createServer } from 'node:tls'
import { selfSigned } from './self-signed.ts'

export interface TlsFront {
  readonly port: number
  stop(): void
}

/** Takes encrypted connections for a plain server on this machine. */
export async function startTlsFront(plainPort: number): Promise<TlsFront> {
  const server = createServer({ cert: selfSigned.cert, key: selfSigned.key }, (outside) => {
    const inside = connect(plainPort, '127.0.0.1')
    outside.pipe(inside)
    inside.pipe(outside)
    outside.on('error', () => inside.destroy())
    inside.on('error', () => outside.destroy())
    outside.on('close', () => inside.destroy())
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, stop: () => server.close() }
}
