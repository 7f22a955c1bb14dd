import { borrowApp } from '#server/testing/borrow-app.ts'
import type { TestApp, TestClient } from '#server/testing/test-app.ts'
import { api } from '#shared/api/all.ts'
import type { HistoryEntry, HistoryKind } from '#shared/api/history.ts'

/** An app whose history is looked at and taken back by its first account. */
export interface HistoryScene {
  readonly app: TestApp
  readonly root: TestClient
  newest(kind?: HistoryKind): Promise<HistoryEntry>
  undo(entry: HistoryEntry, client?: TestClient): Promise<HistoryEntry>
  /** Why an undo is refused; '' when it is not. */
  refusal(entry: HistoryEntry, client?: TestClient): Promise<string>
  makeChannel(name: string, key?: string): Promise<number>
}

export async function historyScene(): Promise<HistoryScene> {
  const app = await borrowApp()
  const root = await app.root()
  return {
    app,
    root,
    async newest(kind) {
      const { list } = await root.call(api.history.list, { pagesize: 1, ...(kind ? { kind } : {}) })
      if (!list[0]) throw new Error('the history is empty')
      return list[0]
    },
    undo: (entry, client = root) => client.call(api.history.undo, { id: entry.id }),
    refusal: async (entry, client = root) => (await client.raw(api.history.undo, { id: entry.id })).message,
    async makeChannel(name, key = `planted-key-of-${name}`) {
      await root.call(api.channels.create, { name, type: 1, key, models: 'gpt-4o,gpt-4o-mini' })
      const { list } = await root.call(api.channels.search, { keyword: name })
      return list[0]?.id ?? 0
    },
  }
}
