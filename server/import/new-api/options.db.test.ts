import { afterEach, expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { importInto } from '#server/testing/import-scene.ts'
import { createNewApi } from '#server/testing/new-api/data.ts'
import { insertRow } from '#server/testing/old-database.ts'

const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.stop()
})

async function importWith(options: Readonly<Record<string, string>>) {
  const old = await createNewApi('1.0', 'http://127.0.0.1:1')
  await old.run((engine) => Object.entries(options).map(([key, value]) => insertRow(engine, 'options', { key, value })))
  const app = await borrowApp()
  opened.push(app)
  const report = (await importInto(app, { source: old.address })).lines().join('\n')
  return { report, isOpen: app.ctx.options().RegisterEnabled }
}

const mails = { EmailVerificationEnabled: 'true', SMTPServer: 'mail.example.com', SMTPFrom: 'a@example.com' }

test('registration is switched off where e-mail aliases were refused, until the operator has looked at it', async () => {
  const { report, isOpen } = await importWith({ ...mails, EmailAliasRestrictionEnabled: 'true' })
  expect(isOpen).toBeFalse()
  expect(report).toContain('registration is switched off: addresses with a dot or a plus were refused there')
})

test('without that rule registration stays as it was', async () => {
  const { report, isOpen } = await importWith({ ...mails, EmailAliasRestrictionEnabled: 'false' })
  expect(isOpen).toBeTrue()
  expect(report).not.toContain('registration')
})
