import type { LeftOut } from '#server/import/form.ts'
import { issuerOf } from '#server/import/oidc.ts'
import { columnsIn, type Program } from '#server/import/program.ts'
import { lastLogs } from '#server/import/source/last-log.ts'
import {
  countRows,
  countTables,
  countUnnumbered,
  logsPerPage,
  mapPages,
  noPages,
  numberIn,
  pages,
  releaseAll,
  type Source,
} from '#server/import/source/source.ts'
import { channelOf } from './channels.ts'
import { oidcSettings, readOptions, savedOptions } from './options.ts'
import {
  codeOf,
  logOf,
  SourceChannel,
  SourceLog,
  SourceRedemption,
  SourceToken,
  SourceUser,
  tokenOf,
  userOf,
} from './rows.ts'

/** one-api 0.6.4 to 0.6.11, and forks of it that only added columns. */
export const oneApi: Program = {
  name: 'one-api',
  title: 'one-api',
  marks: [],
  needs: {
    users:
      columnsIn(`id username password display_name role status email github_id wechat_id access_token quota used_quota
      request_count group aff_code inviter_id`),
    tokens: columnsIn(`id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota
      used_quota`),
    channels: columnsIn(`id type key status name weight created_time test_time response_time base_url other balance
      balance_updated_time models group used_quota model_mapping priority`),
    redemptions: columnsIn('id user_id key status name quota created_time redeemed_time'),
    options: columnsIn('key value'),
    logs: columnsIn(`id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens
      channel_id`),
  },
  read: (opened) => {
    const { source, logs } = opened
    return {
      async *users() {
        const issuer = issuerOf(oidcSettings(await savedOptions(source)))
        yield* mapPages(pages(source, 'users', SourceUser), (user) => userOf(user, issuer))
      },
      tokens: () => mapPages(pages(source, 'tokens', SourceToken), tokenOf),
      channels: () => mapPages(pages(source, 'channels', SourceChannel), channelOf),
      codes: () => mapPages(pages(source, 'redemptions', SourceRedemption), codeOf),
      topUps: noPages,
      options: () => readOptions(opened),
      logs: (range) => mapPages(pages(logs, 'logs', SourceLog, { ...range, size: logsPerPage }), logOf),
      ...lastLogs(logs),
      countLogs: () => countRows(logs, 'logs'),
      leftOut: () => leftOut(source),
      release: () => releaseAll(source, logs),
    }
  },
}

const paymentTables = ['top_ups', 'topups', 'orders', 'payments']

/** Columns and tables of forks that have no place here. */
async function leftOut(source: Source): Promise<LeftOut[]> {
  const columns = [...(source.schema.get('users') ?? [])].filter((column) => /stripe/i.test(column))
  const isTied = columns.map(source.quote).map((name) => `cast(${name} as char) not in ('', '0')`)
  const tied =
    columns.length === 0 ? 0 : await numberIn(source, `select count(*) from users where ${isTied.join(' or ')}`)
  const advice =
    'What was paid is in the balances. Payments have no place here: give out redemption codes, or set a top-up link.'
  const paid = await countTables(
    source,
    paymentTables.map((table) => [table, table, advice] as const),
  )
  return [
    { what: 'accounts tied to a payment service', count: tied, advice },
    { what: 'payments', count: paid.reduce((sum, { count }) => sum + count, 0), advice },
    await countUnnumbered(source),
  ]
}
