import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  /** Options that make the server under test send here. */
  readonly options: { SMTPServer: string; SMTPPort: string; SMTPFrom: string }
  /** The next mail that has not been read yet, as text. */
  next(): Promise<string>
  stop(): Promise<void>
}

/** Long lines come folded and signs escaped. */
const plain = (raw: string): string =>
  raw.replace(/=\r\n/g, '').replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** A real SMTP server that keeps what it gets. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: string[] = []
  const waiting: Array<(mail: string) => void> = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    async onData(stream, _session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const mail = plain(Buffer.concat(chunks).toString())
      const reader = waiting.shift()
      if (reader) reader(mail)
      else mails.push(mail)
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    options: { SMTPServer: '127.0.0.1', SMTPPort: String(port), SMTPFrom: 'relay@example.com' },
    next: () => {
      const mail = mails.shift()
      return mail === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(mail)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
