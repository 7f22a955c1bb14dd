import type { ChatFault } from '#server/dialects/chat.ts'
import { providerOf } from '#server/providers/index.ts'
import { attempt } from '#server/relay/attempts/attempt.ts'
import { refusal } from '#server/relay/refusals.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import { doors } from '#server/relay/request/doors.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import { withAwakeKey } from '#server/relay/upstream/key-turn.ts'
import { sendContext, targetOf } from '#server/relay/upstream/send.ts'
import { VendorRefusal } from '#server/relay/upstream/vendor-refusal.ts'
import { withKeys } from '#server/relay/upstream/with-keys.ts'

export interface TestResult {
  readonly model: string
  readonly seconds: number
  /** Null when the channel answered. */
  readonly fault: ChatFault | null
}

const preferredModel = 'gpt-3.5-turbo'
const answerTokens = 16

/** The one the channel names; gpt-3.5-turbo when the channel has it, otherwise its first model. */
const testModelOf = (channel: RoutedChannel): string =>
  channel.testModel !== ''
    ? channel.testModel
    : channel.models.has(preferredModel)
      ? preferredModel
      : (channel.models.values().next().value ?? preferredModel)

/** Asks a channel something short; neither billed nor logged. Any answer that is no real one counts as a failure. */
export async function testChannel(
  context: RelayContext,
  channel: RoutedChannel,
  model = testModelOf(channel),
): Promise<TestResult> {
  const { clock } = context.ctx
  const startedAt = clock()
  const fault = await throughKeys(context, channel, model)
  return { model, seconds: Math.round(clock() - startedAt) / 1000, fault }
}

/** A pool has failed when none of its keys is answered. */
async function throughKeys(context: RelayContext, channel: RoutedChannel, model: string): Promise<ChatFault | null> {
  try {
    await withKeys(context, withAwakeKey(context, channel), async (through) => {
      const fault = await tryChat(context, through, model)
      if (fault) throw new VendorRefusal(fault)
    })
    return null
  } catch (error) {
    if (error instanceof VendorRefusal) return error.said
    throw error
  }
}

async function tryChat(context: RelayContext, channel: RoutedChannel, model: string): Promise<ChatFault | null> {
  if (!providerOf(channel.type).operations.includes('chat')) return refusal('unsupported', { model })
  const ask = question(model)
  const request = new Request('http://localhost/v1/chat/completions', { method: 'POST' })
  const result = await attempt(
    sendContext(context, channel, request.signal),
    ask,
    targetOf(ask, channel, { http: request, url: new URL(request.url) }),
  )
  return result.ok ? null : result.fault
}

function question(model: string): Ask {
  const door = doors['/v1/chat/completions']
  if (!door) throw new Error('the chat door is missing')
  const body = { model, messages: [{ role: 'user', content: 'hi' }], max_tokens: answerTokens }
  return {
    entrance: { door },
    model,
    stream: false,
    payload: { kind: 'json', text: JSON.stringify(body), body },
    answerLimit: answerTokens,
    n: 1,
    answers: 1,
  }
}
