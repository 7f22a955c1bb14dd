import { countChat } from '#server/billing/counting/tokenizer.ts'
import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { objectOf, textOf } from '#server/lib/json.ts'
import { decoded } from '#server/lib/text/decoded.ts'
import { countableOf } from '#server/relay/metering/countable.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type JsonBody, readJsonObject } from '#server/relay/request/ask.ts'
import { readText } from '#server/relay/request/body.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { refuseLongLists } from '#server/relay/request/long-lists.ts'
import type { RelayRoute } from '#server/relay/request/relay-route.ts'
import { admitPaying } from '#server/relay/settlement/admit-body.ts'
import { resolveBody } from '#server/relay/state/resolve-state.ts'
import { show } from './show.ts'
import { type Counting, vendorCount } from './vendor-count.ts'

/** How many tokens a prompt has: the vendor's own count where it has one, ours elsewhere; costs nothing. */
async function count(context: RelayContext, inbound: InboundRequest, counting: Counting): Promise<Response> {
  const { dialect, model } = counting
  refuseLongLists(counting.body)
  const caller = await context.callers.identify(inbound)
  // Whoever has nothing, or is beyond his limits, has been refused.
  const asked = { text: JSON.stringify(counting.body), body: counting.body }
  const { body, holder, foreign } = await resolveBody(
    context,
    { caller, requireFunds: async () => {} },
    dialect.id,
    asked,
  )
  const counted = await vendorCount(context, inbound, { ...counting, body, foreign }, holder)
  if (counted !== undefined) return show(typeof counted === 'number' ? counting.say(counted) : counted)
  const chat = dialect.decodeRequest({ max_tokens: 1, ...body, model, stream: false })
  return show(counting.say(await countChat(countableOf(chat), model)))
}

/** The body of a caller who has something to spend. Nothing is read for anybody else. */
async function readKnown(context: RelayContext, inbound: InboundRequest): Promise<JsonBody> {
  const caller = await context.callers.identify(inbound)
  await admitPaying(context, inbound, caller)
  return readJsonObject(await readText(inbound))
}

function modelIn(body: JsonBody): string {
  const model = textOf(body.model)
  if (!model) throw refuse('modelMissing')
  return model
}

const countMessages: RelayRoute['serve'] = async (context, inbound) => {
  const body = await readKnown(context, inbound)
  const say = (tokens: number) => ({ input_tokens: tokens })
  return count(context, inbound, { dialect: anthropicMessages, body, model: modelIn(body), say })
}

const countContents: RelayRoute['serve'] = async (context, inbound, { model = '' }) => {
  const whole = await readKnown(context, inbound)
  const { model: _, ...body } = (objectOf(whole.generateContentRequest) as JsonBody | undefined) ?? whole
  const say = (tokens: number) => ({ totalTokens: tokens })
  return count(context, inbound, { dialect: gemini, body, model: decoded(model), say })
}

const countInput: RelayRoute['serve'] = async (context, inbound) => {
  const body = await readKnown(context, inbound)
  const say = (tokens: number) => ({ object: 'response.input_tokens', input_tokens: tokens })
  return count(context, inbound, { dialect: openaiResponses, body, model: modelIn(body), say })
}

export const countingRoutes: readonly RelayRoute[] = [
  { method: 'POST', path: '/v1/messages/count_tokens', admission: 'counted', serve: countMessages },
  { method: 'POST', path: '/v1beta/models/{model}:countTokens', admission: 'counted', serve: countContents },
  { method: 'POST', path: '/v1/responses/input_tokens', admission: 'counted', serve: countInput },
]
