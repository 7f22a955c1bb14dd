import type { Context } from '#server/context.ts'
import { takenColumn } from '#server/db/unique.ts'
import { countFailure, refuseExhausted } from '#server/http/attempts.ts'
import type { Call, UserCall } from '#server/http/call.ts'
import { bindIdentity } from '#server/identity/bind-identity.ts'
import { findOrCreateOwner } from '#server/identity/external-account.ts'
import { grantSession } from '#server/identity/grant-session.ts'
import { requireProof } from '#server/identity/proof.ts'
import { type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { boundedJson } from '#server/lib/network/bounded-json.ts'
import { fetchUnmoved } from '#server/lib/network/fetch-unmoved.ts'
import type { authApi, LoginUser } from '#shared/api/auth.ts'
import type { InputOf } from '#shared/contract.ts'
import { AppError } from '#shared/errors.ts'
import { findWechatOwner, linkWechat } from './external.store.ts'

/** Characters of what the companion server says that are passed on. */
const messageMax = 200

export async function wechatLogin(call: Call<InputOf<typeof authApi.wechat>>): Promise<LoginUser> {
  const { ctx } = call
  const wechatId = await redeemCode(call)
  const find = () => findWechatOwner(ctx.database.db, wechatId)
  const user = await findOrCreateOwner(call, find, 'wechat_', { displayName: 'WeChat User', wechatId })
  await grantSession(call, user)
  return user
}

export async function wechatBind(call: UserCall<InputOf<typeof authApi.wechatBindProven>>): Promise<void> {
  await requireProof(call)
  const wechatId = await redeemCode(call)
  await bindIdentity(call, { wechatId }, (tx) => linkWechat(tx, call.actor.id, wechatId)).catch((error) => {
    throw takenColumn(error) === 'wechat_id' ? new AppError('wechat.taken') : error
  })
}

/** Asks the companion server whose code this is. */
async function redeemCode(call: Call<{ code: string }>): Promise<string> {
  const { ctx, input } = call
  if (!ctx.options().WeChatAuthEnabled) throw new AppError('wechat.off')
  await refuseExhausted(call)
  const { success, message, data } = await askCompanion(ctx, input.code)
  const wechatId = success === true ? (textOf(data) ?? '') : ''
  if (wechatId !== '') return wechatId
  await countFailure(call)
  const detail = success === true ? '' : (textOf(message) ?? '').slice(0, messageMax)
  throw detail === '' ? new AppError('code.wrong') : new AppError('wechat.refused', { detail })
}

async function askCompanion({ options, fetch, log }: Context, code: string): Promise<JsonObject> {
  const { WeChatServerAddress, WeChatServerToken } = options()
  try {
    const answer = await fetchUnmoved(
      fetch,
      `${WeChatServerAddress}/api/wechat/user?${new URLSearchParams({ code })}`,
      {
        headers: { authorization: WeChatServerToken },
        signal: AbortSignal.timeout(5000),
      },
    )
    const body = objectOf(await boundedJson(answer))
    if (typeof body?.success !== 'boolean') throw new Error(`its answer (${answer.status}) is no answer to a code`)
    return body
  } catch (cause) {
    log.warn('the WeChat server cannot be asked', { cause })
    throw new AppError('wechat.unreachable', {}, { cause })
  }
}
