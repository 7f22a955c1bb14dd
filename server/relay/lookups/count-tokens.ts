import { countChat } from '#server/billing/counting/tokenizer.ts'
import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { objectOf } from '#server/lib/json.ts'
import { countableOf } from '#server/relay/metering/countable.ts'
import { refuse } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type JsonBody, readJsonObject } from '#server/relay/request/ask.ts'
import { decoded } from '#server/relay/request/doors.ts'
import type { InboundRequest } from '#server/relay/request/inbound-request.ts'
import { show } from './show.ts'

const geminiPath = /^\/v1(?:beta|alpha)?\/models\/(.+):countTokens$/

/** How many tokens a prompt has, counted here; costs nothing. */
export async function countTokensCall({ callers }: RelayContext, inbound: InboundRequest): Promise<Response> {
  const { http, url } = inbound
  const [, geminiModel] = geminiPath.exec(decoded(url.pathname)) ?? []
  if (geminiModel === undefined && url.pathname !== '/v1/messages/count_tokens') {
    throw refuse('notFound', { method: http.method, path: url.pathname })
  }
  await callers.identify(inbound)
  const body = readJsonObject(await http.text())
  if (geminiModel !== undefined) {
    const asked = (objectOf(body.generateContentRequest) as JsonBody | undefined) ?? body
    const chat = gemini.decodeRequest({ ...asked, model: geminiModel, stream: false })
    return show({ totalTokens: await countChat(countableOf(chat), geminiModel) })
  }
  const chat = anthropicMessages.decodeRequest({ max_tokens: 1, ...body })
  return show({ input_tokens: await countChat(countableOf(chat), chat.model) })
}
