import { importDatabase } from '#server/import/import-database.ts'
import { type ImportRequest, openImport } from '#server/import/open-import.ts'
import { createReport, type Report } from '#server/import/report.ts'
import type { TestApp } from './test-app.ts'

/** Takes an old database over into a running app, which then works with it. */
export async function importInto(app: TestApp, asked: ImportRequest): Promise<Report> {
  const report = createReport()
  const { program, reader, close } = await openImport(app.ctx, asked, report)
  try {
    await importDatabase(app.ctx, { program: program.name, reader, report })
  } finally {
    await close()
  }
  await app.ctx.refreshOptions()
  return report
}

/** A chat request with a key. */
export const ask = (app: TestApp, key: string, model: string): Promise<Response> =>
  fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })

export const balanceOf = async ({ ctx }: TestApp, username: string): Promise<number> => {
  const { db } = ctx.database
  const user = await db.selectFrom('users').select('quota').where('username', '=', username).executeTakeFirstOrThrow()
  return user.quota
}
