import { z } from 'zod'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/db/database.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import type { Release, Status } from '#shared/api/status.ts'
import { AppError } from '#shared/errors.ts'

/** What anyone may know, from the options as they are now. */
export async function publicStatus(
  ctx: Pick<Context, 'config' | 'options' | 'version' | 'startedAt' | 'database'>,
): Promise<Status> {
  const options = ctx.options()
  return {
    version: ctx.version,
    start_time: ctx.startedAt,
    system_name: options.SystemName,
    logo: options.Logo,
    footer_html: options.Footer,
    theme: options.Theme,
    quota_per_unit: options.QuotaPerUnit,
    display_in_currency: options.DisplayInCurrencyEnabled,
    chat_link: options.ChatLink,
    top_up_link: options.TopUpLink,
    server_address: options.ServerAddress,
    password_login: options.PasswordLoginEnabled,
    password_register: options.PasswordRegisterEnabled,
    register: options.RegisterEnabled,
    models_public: options.ModelPagePublic,
    turnstile_check: options.TurnstileCheckEnabled,
    turnstile_site_key: options.TurnstileSiteKey,
    email_verification: options.EmailVerificationEnabled,
    github_oauth: options.GitHubOAuthEnabled,
    github_client_id: options.GitHubClientId,
    github_authorize_url: `${ctx.config.GITHUB_URL}/login/oauth/authorize`,
    oidc_login: options.OIDCEnabled,
    oidc_name: options.OIDCName,
    passkey_login: await anyPasskey(ctx.database.db),
    wechat_login: options.WeChatAuthEnabled,
    wechat_qrcode: options.WeChatAccountQRCodeImageURL,
  }
}

const anyPasskey = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('passkeys').select('id').limit(1).executeTakeFirst()) !== undefined

export const groupNames = (ctx: Pick<Context, 'options'>): string[] => Object.keys(ctx.options().GroupRatio).sort()

const releaseTimeoutMs = 5000

const ReleaseAnswer = z.object({
  tag_name: z.string().default(''),
  body: z.string().nullish(),
  html_url: z.string().nullish(),
})

/** Asked by the server, so that the browser talks to one origin and the address can be set in one place. */
export async function latestRelease(ctx: Pick<Context, 'config' | 'fetch'>): Promise<z.output<typeof Release>> {
  try {
    const answer = await ctx.fetch(ctx.config.RELEASES_URL, {
      headers: { accept: 'application/vnd.github+json', 'user-agent': 'switchyard' },
      signal: AbortSignal.timeout(releaseTimeoutMs),
    })
    if (!answer.ok) throw new Error(`the releases address answered ${answer.status}`)
    const release = ReleaseAnswer.parse(await boundedJson(answer))
    return { tag_name: release.tag_name, body: release.body ?? '', html_url: release.html_url ?? '' }
  } catch (cause) {
    throw new AppError('update.unreachable', {}, { cause })
  }
}
