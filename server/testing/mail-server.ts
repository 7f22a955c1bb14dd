import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string[]
  readonly headers: string
  readonly body: string
}

export interface MailServer {
  readonly port: number
  /** Options that send through this server. */
  readonly options: { SMTPServer: string; SMTPPort: string; SMTPFrom: string }
  readonly inbox: ReceivedMail[]
  /** The next mail that has not been taken yet. */
  next(): Promise<ReceivedMail>
  stop(): Promise<void>
}

/** A real SMTP server on a port of its own that keeps what it gets. */
export async function startMailServer(settings: { user?: string; pass?: string } = {}): Promise<MailServer> {
  const inbox: ReceivedMail[] = []
  const waiting: ((mail: ReceivedMail) => void)[] = []
  let taken = 0
  const server = new SMTPServer({
    authOptional: settings.user === undefined,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === settings.user && password === settings.pass
        ? done(null, { user: username })
        : done(new Error('wrong credentials')),
    async onData(stream, session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const mail = readMail(
        Buffer.concat(chunks).toString('utf8'),
        session.envelope.rcptTo.map(({ address }) => address),
      )
      inbox.push(mail)
      const waiter = waiting.shift()
      if (waiter) {
        taken += 1
        waiter(mail)
      }
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    port,
    options: { SMTPServer: '127.0.0.1', SMTPPort: String(port), SMTPFrom: 'relay@example.com' },
    inbox,
    next() {
      const mail = inbox[taken]
      if (!mail) return new Promise((resolve) => waiting.push(resolve))
      taken += 1
      return Promise.resolve(mail)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function readMail(raw: string, to: string[]): ReceivedMail {
  const split = raw.indexOf('\r\n\r\n')
  const headers = raw.slice(0, split)
  const body = raw.slice(split + 4)
  const decoded = /content-transfer-encoding: base64/i.test(headers)
    ? Buffer.from(body, 'base64').toString('utf8')
    : body
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return { to, headers, body: decoded }
}
