import type { Context } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { OptionValues } from '#shared/options.ts'
import { isThisMachine } from '#shared/this-machine.ts'

export interface Mail {
  /** One address, already checked. */
  readonly to: string
  readonly subject: string
  readonly html: string
}

type Needs = Pick<Context, 'options' | 'log'>

const implicitTlsPort = 465
const timeoutMs = 10_000

const senderOf = (options: OptionValues): string => options.SMTPFrom || options.SMTPAccount

export const canSendMail = (options: OptionValues): boolean => options.SMTPServer !== '' && senderOf(options) !== ''

/** Refuses at once what could not be sent anyway. */
export function requireMail(options: OptionValues): void {
  if (!canSendMail(options)) throw new AppError('mail.not_configured')
}

/** Sends one mail. Resolves when the mail server has taken it. */
export async function sendMail(ctx: Needs, mail: Mail): Promise<void> {
  const options = ctx.options()
  requireMail(options)
  // Loaded with the first mail: no start waits for it.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(options))
  try {
    await transport.sendMail({
      from: { name: oneLine(options.SystemName), address: oneLine(senderOf(options)) },
      to: { name: '', address: oneLine(mail.to) },
      subject: oneLine(mail.subject),
      html: mail.html,
    })
  } catch (cause) {
    ctx.log.warn('a mail could not be sent', { server: options.SMTPServer, cause })
    throw new AppError('mail.failed', {}, { cause })
  } finally {
    transport.close()
  }
}

function transportOptions(options: OptionValues) {
  const host = options.SMTPServer
  const secure = options.SMTPPort === implicitTlsPort
  // A mail server on this machine needs no encryption and rarely has a valid certificate.
  const local = isThisMachine(host)
  const hasLogin = options.SMTPAccount !== '' && options.SMTPToken !== ''
  const auth = hasLogin ? { user: options.SMTPAccount, pass: options.SMTPToken } : undefined
  return {
    host,
    port: options.SMTPPort,
    secure,
    ...(auth ? { auth } : {}),
    requireTLS: auth !== undefined && !secure && !local,
    tls: { rejectUnauthorized: !local },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A header is one line, whatever an option or an address holds. */
const oneLine = (text: string): string => text.replace(/\p{C}+/gu, ' ').trim()
