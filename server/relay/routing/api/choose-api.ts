import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { providerOf } from '#server/providers/index.ts'
import { apiFactsOf } from '#server/providers/openai/api-facts.ts'
import type { ApiFacts, OpenaiApi } from '#server/providers/openai/api-rows.ts'
import type { ApiChoice } from '#server/providers/provider.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { RoutedChannel } from '#server/relay/routing/routing-table.ts'
import type { ApiFindings } from './api-findings.ts'
import { type ChatWishes, chatWishes } from './chat-wishes.ts'

/** `api` null: there is nothing to choose. `lacked`: a field that cannot be sent with the tools. */
export type ApiDecision =
  | { readonly api: ApiChoice | null }
  | { readonly lacked: string }
  /** The channel has no API that takes these tools. */
  | { readonly out: 'tools' }

const nothing: ApiDecision = { api: null }

/** By which of OpenAI's APIs a channel is asked, from what its model takes and what the vendor has said of it. */
export function chooseApi(ask: Ask, channel: RoutedChannel, findings: ApiFindings, now: number): ApiDecision {
  const { door } = ask.entrance
  if (door.operation !== 'chat' || door.dialect.id === openaiResponses.id || ask.payload.kind !== 'json') return nothing
  const model = channel.mapping.get(ask.model) ?? ask.model
  const finding = findings.find({ channelId: channel.id, model }, now)
  return chooseFor(channel, model, finding, () => chatWishes(ask, channel.overrides))
}

/** The same for wishes that are read only where they count. */
export function chooseFor(
  channel: Pick<RoutedChannel, 'type' | 'baseUrl' | 'other'>,
  model: string,
  finding: OpenaiApi | null,
  readWishes: () => ChatWishes,
): ApiDecision {
  const apis = providerOf(channel.type).apis?.(channel) ?? []
  const facts = apiFactsOf(model)
  if (apis.length === 0) return nothing
  if (!facts.apis.includes('chat')) return apis.includes('responses') ? onlyApi(finding) : nothing
  if (facts.toolsInChat === 'always' && finding === null) return asks('chat', 'tools_in_chat')
  const wishes = readWishes()
  if (wishes.isUltrafast && apis.includes('responses') && servesUltrafast(facts))
    return wishes.lacked === null ? asks('responses', 'tier') : { lacked: wishes.lacked }
  if (!wishes.hasTools) return asks('chat', 'plain')
  if (finding === 'chat') return asks('chat', 'vendor')
  if (finding === null && takesInChat(facts, wishes)) return asks('chat', 'tools_in_chat')
  return withoutChat(apis, facts, wishes, finding)
}

const asks = (name: OpenaiApi, reason: ApiChoice['reason']): ApiDecision => ({ api: { name, reason } })

/** Such a request is sent to responses, whatever it holds. */
const servesUltrafast = ({ toolsInChat }: ApiFacts): boolean => toolsInChat === 'only_none' || toolsInChat === 'never'

const onlyApi = (finding: OpenaiApi | null): ApiDecision =>
  finding === 'chat' ? asks('chat', 'vendor') : asks('responses', 'only')

function takesInChat({ toolsInChat }: ApiFacts, { effort }: ChatWishes): boolean {
  if (toolsInChat === 'without_effort') return effort === null || effort === 'none'
  return toolsInChat === 'only_none' ? effort === 'none' : toolsInChat === 'always'
}

/** Tools that chat takes with the effort `none` at best. */
function withoutChat(
  apis: readonly OpenaiApi[],
  { toolsInChat }: ApiFacts,
  { effort, lacked }: ChatWishes,
  finding: OpenaiApi | null,
): ApiDecision {
  const mayCalm = toolsInChat === 'only_none' && effort === null
  if (!apis.includes('responses')) return mayCalm ? calmChat('version') : { out: 'tools' }
  if (lacked !== null) return mayCalm ? calmChat('fields') : { lacked }
  return asks('responses', finding === null ? 'tools' : 'vendor')
}

const calmChat = (reason: ApiChoice['reason']): ApiDecision => ({ api: { name: 'chat', reason, effort: 'none' } })

const noFindings: ApiFindings = { find: () => null, add() {} }

/** Whether a channel has no API for the tools of a request. */
export const lacksApiForTools = (ask: Ask, channel: RoutedChannel): boolean =>
  'out' in chooseApi(ask, channel, noFindings, 0)

/** Whether it may lack one for some request. */
export const mayLackTools = (channel: RoutedChannel, model: string): boolean => {
  const apis = providerOf(channel.type).apis?.(channel) ?? []
  const { toolsInChat } = apiFactsOf(channel.mapping.get(model) ?? model)
  return apis.length > 0 && !apis.includes('responses') && toolsInChat !== 'always'
}
