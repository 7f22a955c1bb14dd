/** A network of its own: passes every byte on some milliseconds later. `delayed-link.ts <port> <ms there> <ms back>`. */
import { connect, createServer, type Socket } from 'node:net'

const [port = 0, thereMs = 1, backMs = 1] = process.argv.slice(2).map(Number)

/** In the order in which it came. */
function passOn(from: Socket, to: Socket, delayMs: number): void {
  from.setNoDelay(true)
  from.on('data', (chunk) => {
    if (delayMs === 0) to.write(chunk)
    else setTimeout(() => to.write(chunk), delayMs)
  })
  from.on('close', () => void setTimeout(() => to.destroy(), delayMs))
  from.on('error', () => {})
}

const server = createServer((client) => {
  const target = connect(port, '127.0.0.1')
  passOn(client, target, thereMs)
  passOn(target, client, backMs)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`port ${typeof address === 'object' && address ? address.port : 0}`)
})
