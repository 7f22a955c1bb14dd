/** A network of its own: passes every byte on some milliseconds later, each way. `delayed-link.ts <port> <ms>`. */
import { connect, createServer, type Socket } from 'node:net'

const [port = 0, delayMs = 1] = process.argv.slice(2).map(Number)

/** In the order in which it came. */
function passOn(from: Socket, to: Socket): void {
  from.setNoDelay(true)
  from.on('data', (chunk) => void setTimeout(() => to.write(chunk), delayMs))
  from.on('close', () => void setTimeout(() => to.destroy(), delayMs))
  from.on('error', () => {})
}

const server = createServer((client) => {
  const target = connect(port, '127.0.0.1')
  passOn(client, target)
  passOn(target, client)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`port ${typeof address === 'object' && address ? address.port : 0}`)
})
