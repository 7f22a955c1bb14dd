import type { Mail } from './mailer.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** Markup with every inserted value escaped. */
const html = (parts: TemplateStringsArray, ...values: string[]): string =>
  parts.reduce((text, part, at) => text + escapeHtml(values[at - 1] ?? '') + part)

const page = (body: string): string =>
  `<div style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.6;max-width:32rem">${body}</div>`

interface To {
  readonly to: string
  readonly system: string
  readonly minutes: number
}

export const verificationMail = ({ to, system, minutes, code }: To & { code: string }): Mail => ({
  to,
  subject: `${system} email verification`,
  html: page(
    html`<p>Your verification code for ${system} is <strong style="font-size:18px;letter-spacing:2px">${code}</strong></p>
<p>It is valid for ${String(minutes)} minutes and can be used once. If you did not ask for it, ignore this mail.</p>`,
  ),
})

/** Sent in place of a code, so that nobody but its owner learns that the address is in use. */
export const addressInUseMail = ({ to, system }: Pick<To, 'to' | 'system'>): Mail => ({
  to,
  subject: `${system} email verification`,
  html: page(
    html`<p>Someone asked for a verification code for this address at ${system}. It already has an account there.</p>
<p>If it was you, log in with this address, or reset your password if you have forgotten it.</p>`,
  ),
})

/** To the address of before and to the new one. */
export const addressChangedMail = ({ to, system, after }: Pick<To, 'to' | 'system'> & { after: string }): Mail => ({
  to,
  subject: `Your email address at ${system} has changed`,
  html: page(
    html`<p>The email address of your account at ${system} is now ${after}.</p>
<p>If it was not you who changed it, ask the administrator for help at once.</p>`,
  ),
})

/** After a reset by mail or by an administrator. */
export const loginsEndedMail = ({
  to,
  system,
  passkeys,
  links,
}: Pick<To, 'to' | 'system'> & { passkeys: number; links: readonly string[] }): Mail => {
  const ended = [...(passkeys > 0 ? [`passkeys (${passkeys})`] : []), ...links.map((name) => `login with ${name}`)]
  return {
    to,
    subject: `Your password at ${system} was reset`,
    html: page(
      html`<p>The password of your account at ${system} was reset. These ways to log in ended with the old one: ${ended.join(', ')}.</p>
<p>To use them again, log in with the new password and add them under Settings. If nobody reset it for you, ask the administrator for help at once.</p>`,
    ),
  }
}

export const resetMail = ({ to, system, minutes, link }: To & { link: string }): Mail => ({
  to,
  subject: `${system} password reset`,
  html: page(
    (link.startsWith('/')
      ? html`<p>To set a new password, open the address of ${system} in your browser with this behind it:</p>
<p><code>${link}</code></p>`
      : html`<p>To set a new password for ${system}, follow this link: <a href="${link}">reset password</a></p>
<p>If it does not open, copy it into your browser:<br><code>${link}</code></p>`) +
      html`<p>It is valid for ${String(minutes)} minutes and can be used once. If you did not ask for it, ignore this mail.</p>`,
  ),
})

/** After a login from somewhere new. */
export const newDeviceMail = ({
  to,
  system,
  device,
  address,
  time,
}: Pick<To, 'to' | 'system'> & { device: string; address: string; time: string }): Mail => ({
  to,
  subject: `New login to ${system}`,
  html: page(
    html`<p>Your account at ${system} was logged in to from a new device: ${device}, from ${address}, at ${time} UTC.</p>
<p>If it was not you, change your password at once and end the session under Settings.</p>`,
  ),
})

/** News for the operator; its lines become paragraphs. */
export const noticeMail = ({ to, title, content }: { to: string; title: string; content: string }): Mail => ({
  to,
  subject: title,
  html: page(
    content
      .split('\n')
      .map((line) => html`<p>${line}</p>`)
      .join(''),
  ),
})

/** To a user who has little or nothing left to spend. */
export const quotaMail = ({
  to,
  system,
  left,
  usedUp,
  link,
}: Pick<To, 'to' | 'system'> & { left: string; usedUp: boolean; link: string }): Mail => {
  const state = usedUp ? 'used up' : 'about to be used up'
  return {
    to,
    subject: `Your quota at ${system} is ${state}`,
    html: page(
      html`<p>Your quota at ${system} is ${state}: ${left} left.</p>` +
        (link.startsWith('/')
          ? html`<p>To go on, top up in the console, under <code>${link}</code>.</p>`
          : html`<p>To go on, top up: <a href="${link}">${link}</a></p>`),
    ),
  }
}
