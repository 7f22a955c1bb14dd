import { columnsIn, type Program } from '#server/import/program.ts'
import { lastLogs } from '#server/import/source/last-log.ts'
import { countRows, logsPerPage, mapPages, noPages, pages, releaseAll } from '#server/import/source/source.ts'
import { distinctNames } from '#shared/comma-list.ts'
import { channelOf } from './channels.ts'
import { leftOutOf } from './left-out.ts'
import { readOptions, savedOptions } from './options.ts'
import { readTokens, readUsers } from './people.ts'
import { pricesThere } from './prices-there.ts'
import { codeOf, logOf, topUpOf } from './records.ts'
import { SourceChannel, SourceLog, SourceRedemption, SourceTopUp } from './rows.ts'
import { specialGroups } from './special-groups.ts'

/** new-api from 0.4 on. What later releases added is read where it is there. */
export const newApi: Program = {
  name: 'new-api',
  title: 'new-api',
  marks: [
    'tokens.model_limits',
    'tokens.model_limits_enabled',
    'tokens.allow_ips',
    'channels.auto_ban',
    'channels.channel_info',
  ],
  needs: {
    users:
      columnsIn(`id username password display_name role status email github_id wechat_id access_token quota used_quota
      request_count group aff_code inviter_id deleted_at`),
    tokens: columnsIn(`id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota
      model_limits_enabled model_limits allow_ips used_quota group deleted_at`),
    channels:
      columnsIn(`id type key open_ai_organization|openai_organization test_model status name weight created_time test_time response_time
      base_url other balance balance_updated_time models group used_quota model_mapping status_code_mapping priority tag
      setting`),
    redemptions: columnsIn('id user_id key status name quota created_time redeemed_time used_user_id deleted_at'),
    options: columnsIn('key value'),
    logs: columnsIn(`id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens
      use_time is_stream channel_id token_id other`),
  },
  optional: {
    two_fas: columnsIn('id user_id secret is_enabled deleted_at'),
    top_ups: columnsIn('id user_id amount money create_time status'),
  },
  read(opened) {
    const { source, logs } = opened
    return {
      users: () => readUsers(opened),
      tokens: () => readTokens(opened),
      async *channels() {
        const saved = await savedOptions(source)
        const priceThere = pricesThere(saved)
        const { withSpecial } = specialGroups(saved)
        const isCarried = (model: string) => !('leftOut' in priceThere(model))
        yield* mapPages(pages(source, 'channels', SourceChannel), (channel) =>
          channelOf({
            ...channel,
            models: distinctNames(channel.models).filter(isCarried).join(','),
            group: withSpecial(distinctNames(channel.group || 'default')).join(','),
          }),
        )
      },
      codes: () => mapPages(pages(source, 'redemptions', SourceRedemption), codeOf),
      async *topUps() {
        const saved = await savedOptions(source)
        if (source.schema.has('top_ups'))
          yield* mapPages(pages(source, 'top_ups', SourceTopUp), (topUp) => topUpOf(topUp, saved))
        else yield* noPages()
      },
      options: () => readOptions(opened),
      logs: (range) => mapPages(pages(logs, 'logs', SourceLog, { ...range, size: logsPerPage }), logOf),
      ...lastLogs(logs),
      countLogs: () => countRows(logs, 'logs'),
      leftOut: () => leftOutOf(source),
      release: () => releaseAll(source, logs),
    }
  },
}
