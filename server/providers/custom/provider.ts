import type { ChatFault } from '#server/dialects/chat.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { arrayOf, objectOf } from '#server/lib/json.ts'
import { amountOf, dashboardBalance, readJson } from '#server/providers/balances.ts'
import { allOperations, bearer, endpoint, isWhole, withModel } from '#server/providers/endpoint.ts'
import { numbersOrBase64 } from '#server/providers/float-vectors.ts'
import { runsItsTools } from '#server/providers/openai/hosted-tools.ts'
import { renameLimit, withinModel } from '#server/providers/openai/models.ts'
import { pdfsAsFiles } from '#server/providers/openai/pdf-pictures.ts'
import { chosenApi, taskOf } from '#server/providers/openai-dialects.ts'
import { openaiFamily } from '#server/providers/openai-family.ts'
import type { Target } from '#server/providers/provider.ts'

/** Servers that turned out to know chat alone: clients of the responses API are translated for them from then on. */
const chatOnly = new Set<string>()

const knowsChatAlone = ({ baseUrl }: Pick<Target, 'baseUrl'>): boolean => isWhole(baseUrl) || chatOnly.has(baseUrl)

/** What servers say of an address they do not know; `model_not_found` stands for a 404 that explains nothing. */
const codesOfAddresses: ReadonlySet<string> = new Set(['', 'unknown_url', 'not_found', '404', 'model_not_found'])

/** What was not found is something the request named, and no address: it says nothing about the server. */
const isThing = ({ message, code = '', param }: ChatFault): boolean =>
  param !== undefined ||
  !codesOfAddresses.has(code) ||
  /model|previous|response[_ ](with|id)|resp_|conversation|item|file|container|vector|prompt|thread/i.test(message)

/** Any server that speaks OpenAI's shape. */
export const custom = openaiFamily({
  types: [8],
  operations: allOperations,
  dialect: (target) => (knowsChatAlone(target) ? openaiChat : chosenApi(target, openaiChat)),
  apis: (target) => (knowsChatAlone(target) ? [] : ['chat', 'responses']),
  refresh(fault, target) {
    const isUnknown = fault.status === 405 || (fault.status === 404 && !isThing(fault))
    if (!isUnknown || target.operation !== 'chat' || custom.dialect(target).id !== openaiResponses.id) return false
    chatOnly.add(target.baseUrl)
    return true
  },
  url: (target) => withModel(endpoint(target.baseUrl, '/v1', taskOf(target, custom)), target.model),
  prepare: withinModel,
  adjust: (body, target) => pdfsAsFiles(renameLimit(body, target.model)),
  passesThrough: runsItsTools,
  codecs: { embeddings: numbersOrBase64 },
  stored: {
    kinds: new Set(['responses']),
    call: (target, path) => ({ url: endpoint(target.baseUrl, '/v1', path), headers: bearer(target.key) }),
  },
  async balance(target, tools) {
    if (new URL(target.baseUrl).hostname !== 'api.deepseek.com') return await dashboardBalance(target, tools)
    const answer = await readJson('https://api.deepseek.com/user/balance', bearer(target.key), tools)
    return amountOf(objectOf(arrayOf(answer.balance_infos)[0])?.total_balance)
  },
})
