import { describe, expect, test } from 'bun:test'
import { eventually } from '#server/testing/eventually.ts'
import { addressOf, startTcpBalancer } from '#server/testing/tcp-balancer.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { freshDatabaseUrl, onPostgres } from '#server/testing/test-database.ts'
import { joinNodes } from './join.ts'

describe.if(onPostgres)('who leads', () => {
  test('is another node when the one that led falls silent without ending its connection', async () => {
    const databaseUrl = await freshDatabaseUrl()
    const way = await startTcpBalancer([addressOf(databaseUrl)])
    const detour = new URL(databaseUrl)
    detour.port = String(way.port)
    // It leads in a database of its own.
    const app = await startTestApp()
    const through = (url: string) => ({ ...app.ctx, config: { ...app.ctx.config, DATABASE_URL: url } })
    const first = await joinNodes(through(detour.toString()))
    const second = await joinNodes(through(databaseUrl))
    expect([first.isLeader(), second.isLeader()]).toEqual([true, false])

    way.hush()
    await eventually(second.isLeader, (leads) => leads, 20_000)
    expect(first.isLeader()).toBe(false)
    way.cut()
    await Promise.all([first.leave(), second.leave()])
    await app.stop()
    await way.stop()
  }, 30_000)
})
