import type { LeftOut } from '#server/import/form.ts'
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
import { commaList } from '#shared/comma-list.ts'
import { readBackups } from './backup-groups.ts'
import { channelOf, SourceChannel } from './channels.ts'
import { isShut, readGroups } from './groups.ts'
import { issuerOf, readOptions, savedOptions } from './options.ts'
import { codeOf, logOf, SourceLog, SourceOrder, SourceRedemption, SourceUser, topUpOf, userOf } from './rows.ts'
import { SourceToken, tokensOf, withChosenGroups } from './tokens.ts'

/** one-hub from 0.14.24 on. */
export const oneHub: Program = {
  name: 'one-hub',
  title: 'one-hub',
  marks: ['prices.channel_type', 'user_groups.symbol'],
  needs: {
    users: columnsIn(
      'id username password display_name role status email github_id wechat_id access_token quota used_quota request_count ' +
        'group aff_code inviter_id created_time deleted_at',
    ),
    tokens: columnsIn(
      'id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota used_quota group ' +
        'backup_group setting deleted_at',
    ),
    channels: columnsIn(
      'id type key status name weight created_time test_time response_time base_url other balance balance_updated_time models ' +
        'group tag used_quota model_mapping model_headers custom_parameter priority proxy test_model plugin deleted_at',
    ),
    redemptions: columnsIn('id user_id key status name quota created_time redeemed_time'),
    options: columnsIn('key value'),
    prices: columnsIn('model type input output extra_ratios'),
    user_groups: columnsIn('symbol ratio api_rate enable'),
    logs: columnsIn(
      'id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens channel_id ' +
        'request_time is_stream metadata',
    ),
  },
  read: (opened) => {
    const { source, logs } = opened
    return {
      async *users() {
        const read = userOf(issuerOf(await savedOptions(source)))
        const backups = await readBackups(source, await readGroups(source))
        for await (const page of pages(source, 'users', SourceUser)) {
          yield await withChosenGroups(source, page.map(read), backups)
        }
      },
      async *tokens() {
        const groups = await readGroups(source)
        const backups = await readBackups(source, groups)
        for await (const page of pages(source, 'tokens', SourceToken))
          yield await tokensOf(opened, page, { groups, backups })
      },
      async *channels() {
        const groups = await readGroups(source)
        const { withMade } = await readBackups(source, groups)
        const read = (channel: SourceChannel) => {
          const named = commaList(channel.group)
          const open = named.filter((symbol) => !isShut(groups, symbol))
          return channelOf(channel, { open: withMade(open.join(',')), hasClosed: open.length < named.length })
        }
        yield* mapPages(pages(source, 'channels', SourceChannel), read)
      },
      codes: () => mapPages(pages(source, 'redemptions', SourceRedemption), codeOf),
      topUps: () => (source.schema.has('orders') ? mapPages(pages(source, 'orders', SourceOrder), topUpOf) : noPages()),
      options: () => readOptions(opened),
      logs: (range) => mapPages(pages(logs, 'logs', SourceLog, { ...range, size: logsPerPage }), logOf),
      ...lastLogs(logs),
      countLogs: () => countRows(logs, 'logs'),
      leftOut: () => leftOut(source),
      release: () => releaseAll(source, logs),
    }
  },
}

/** Tables that have no place here, with what to do about them. */
const tables: readonly (readonly [table: string, what: string, advice: string])[] = [
  ['midjourneys', 'drawing tasks', 'Pictures that are to be kept must be fetched before the old server goes.'],
  ['tasks', 'tasks of drawing and music vendors', 'What they made must be fetched before the old server goes.'],
  ['payments', 'ways to pay', 'Switchyard takes no payments: hand out redemption codes, or top accounts up.'],
  ['statistics', 'days of statistics', 'Usage is counted anew from the log rows that were taken over.'],
  ['statistics_months', 'monthly statements', 'Print them before the old server goes.'],
  ['telegram_menus', 'commands of a Telegram bot', 'There is no such bot here.'],
  ['model_info', 'descriptions of models', 'The catalogue has its own.'],
  ['webauthn_credentials', 'passkeys', 'Their owners sign in with the password and register them anew.'],
]

/** How many users have something in one of these columns. */
const countUsers = (source: Source, columns: readonly string[]): Promise<number> =>
  numberIn(
    source,
    `select count(*) from users where deleted_at is null and (${columns.map((column) => `${source.quote(column)} > 0`).join(' or ')})`,
  )

async function leftOut(source: Source): Promise<LeftOut[]> {
  return [
    ...(await countTables(source, tables)),
    await countUnnumbered(source),
    {
      what: 'accounts with invitation rewards not yet taken',
      count: source.schema.get('users')?.has('aff_quota') ? await countUsers(source, ['aff_quota']) : 0,
      advice: 'They are not in the balances: let their owners take them before the move, or grant them by hand.',
    },
    {
      what: 'accounts known to Telegram',
      count: source.schema.get('users')?.has('telegram_id') ? await countUsers(source, ['telegram_id']) : 0,
      advice: 'This login does not exist here: their owners need a password (reset-password) or a mail address.',
    },
  ]
}
