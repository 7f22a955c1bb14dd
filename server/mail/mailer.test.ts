import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts'
import { setOptions } from '#server/testing/set-options.ts'
import { startTestApp, type TestApp } from '#server/testing/test-app.ts'
import { sendMail } from './mailer.ts'
import { notifyRoot } from './notify-root.ts'
import { resetMail } from './templates.ts'

let app: TestApp
let mailbox: MailServer
const pushed: unknown[] = []
const pusher = Bun.serve({
  port: 0,
  async fetch(request) {
    const body = await request.json()
    if (new URL(request.url).pathname === '/broken') return Response.json({ success: false, message: 'no' })
    pushed.push(body)
    return Response.json({ success: true, message: '' })
  },
})

beforeAll(async () => {
  app = await startTestApp()
  mailbox = await startMailServer()
  await setOptions(app, mailbox.options)
})
afterAll(async () => {
  await app.stop()
  await mailbox.stop()
  await pusher.stop(true)
})

describe('mails', () => {
  test('come from the system, by name', async () => {
    await setOptions(app, { SystemName: 'Étoile Relay' })
    await sendMail(app.ctx, { to: 'anna@example.com', subject: 'Grüße', html: '<p>hello</p>' })
    const mail = await mailbox.next()
    expect(mail.to).toEqual(['anna@example.com'])
    expect(mail.headers).toContain('<relay@example.com>')
    expect(mail.headers).toMatch(/^From: =\?UTF-8\?/m)
    expect(mail.headers).toMatch(/^Message-ID: <[^>]+@example.com>/im)
    expect(mail.body).toContain('<p>hello</p>')
  })

  test.each([
    ['the subject', { to: 'anna@example.com', subject: 'Hi\r\nBcc: evil@example.com', html: '' }],
    ['the address', { to: 'anna@example.com\r\nBcc: evil@example.com', subject: 'Hi', html: '' }],
    ['a list of addresses', { to: 'anna@example.com, evil@example.com', subject: 'Hi', html: '' }],
  ])('carry no header or receiver smuggled in through %s', async (_, mail) => {
    const before = mailbox.inbox.length
    await sendMail(app.ctx, mail).catch(() => {})
    for (const { headers, to } of mailbox.inbox.slice(before)) {
      expect(headers).not.toMatch(/^bcc:/im)
      expect(to).not.toContain('evil@example.com')
      await mailbox.next()
    }
  })

  test('carry no header smuggled in through the system name', async () => {
    await setOptions(app, { SystemName: 'Relay\r\nBcc: evil@example.com' })
    await sendMail(app.ctx, { to: 'anna@example.com', subject: 'Hi', html: '' })
    const mail = await mailbox.next()
    expect(mail.headers).not.toMatch(/^bcc:/im)
    expect(mail.to).toEqual(['anna@example.com'])
    await setOptions(app, { SystemName: 'Relay' })
  })

  test('show what was put into them as text', () => {
    const { html } = resetMail({ to: 'a@b.c', system: '<script>', minutes: 10, link: 'https://x/?a=1&b="2"' })
    expect(html).toContain('&lt;script&gt;')
    expect(html).toContain('href="https://x/?a=1&amp;b=&quot;2&quot;"')
    expect(html).not.toContain('<script>')
  })

  test('log in to the mail server when there is a token', async () => {
    const guarded = await startMailServer({ user: 'relay@example.com', pass: 'smtp-token' })
    const settings = { ...guarded.options, SMTPAccount: 'relay@example.com' }
    await setOptions(app, { ...settings, SMTPToken: 'smtp-token' })
    await sendMail(app.ctx, { to: 'anna@example.com', subject: 'Hi', html: '' })
    expect(guarded.inbox).toHaveLength(1)
    await setOptions(app, { SMTPToken: 'another' })
    const refused = sendMail(app.ctx, { to: 'anna@example.com', subject: 'Hi', html: '' })
    expect(refused).rejects.toMatchObject({ code: 'mail.failed' })
    await refused.catch(() => {})
    await guarded.stop()
    await setOptions(app, { ...mailbox.options, SMTPToken: '' })
  })

  test('need no login where the account was taken away and its token is left', async () => {
    await setOptions(app, { ...mailbox.options, SMTPAccount: '', SMTPToken: 'left over' })
    await sendMail(app.ctx, { to: 'anna@example.com', subject: 'without a login', html: 'x' })
    expect((await mailbox.next()).headers).toContain('without a login')
    await setOptions(app, { SMTPToken: '' })
  })

  test('are not given to a server elsewhere whose certificate nobody vouches for', async () => {
    await setOptions(app, { SMTPServer: '127.1' })
    const before = mailbox.inbox.length
    const sending = sendMail(app.ctx, { to: 'anna@example.com', subject: 'Hi', html: '' })
    expect(sending).rejects.toMatchObject({ code: 'mail.failed' })
    await sending.catch(() => {})
    expect(mailbox.inbox).toHaveLength(before)
    await setOptions(app, mailbox.options)
  })

  test('without a mail server are refused with a word to the administrator', async () => {
    await setOptions(app, { SMTPServer: '' })
    expect(sendMail(app.ctx, { to: 'anna@example.com', subject: 'Hi', html: '' })).rejects.toMatchObject({
      code: 'mail.not_configured',
    })
    await setOptions(app, mailbox.options)
  })
})

describe('the super administrator', () => {
  const notice = { kind: 'channel_disabled', title: 'A channel was disabled', content: 'line one\nline two' } as const

  test('without a pusher and an address is sent nothing, and nothing fails', async () => {
    expect(await notifyRoot(app.ctx, notice)).toBe(false)
  })

  test('is notified by mail when there is no pusher, or it refuses', async () => {
    await app.ctx.database.db.updateTable('users').set({ email: 'root@example.com' }).where('id', '=', 1).execute()
    for (const address of ['', `http://127.0.0.1:${pusher.port}/broken`, 'http://127.0.0.1:1']) {
      await setOptions(app, { MessagePusherAddress: address })
      expect(await notifyRoot(app.ctx, notice)).toBe(true)
      const mail = await mailbox.next()
      expect(mail.to).toEqual(['root@example.com'])
      expect(mail.body).toContain('<p>line two</p>')
    }
  })

  test('is notified by message pusher first', async () => {
    const before = mailbox.inbox.length
    const address = `http://127.0.0.1:${pusher.port}`
    await setOptions(app, { MessagePusherAddress: address, MessagePusherToken: 'push-token' })
    expect(await notifyRoot(app.ctx, notice)).toBe(true)
    const { title, content } = notice
    expect(pushed).toEqual([{ title, description: content, content, url: '', channel: '', token: 'push-token' }])
    expect(mailbox.inbox).toHaveLength(before)
  })
})
