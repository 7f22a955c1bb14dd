import type { ChatFault } from '#server/dialects/chat.ts'
import { providerOf } from '#server/providers/index.ts'
import type { OpenaiApi } from '#server/providers/openai/api-rows.ts'
import type { Target } from '#server/providers/provider.ts'

/** How OpenAI refuses tools in chat. */
const toolsRefused =
  /^Function tools with reasoning_effort are not supported for .+ in \/v1\/chat\/completions\. (Please use \/v1\/responses instead\.|To use function tools, use \/v1\/responses or set reasoning_effort to 'none'\.)$/

/** By which API a refused request should have been asked, as the vendor's words say; null when they speak of something else. */
export function otherApi(fault: ChatFault, target: Target): OpenaiApi | null {
  const { api } = target
  if (!api || providerOf(target.type).apis?.(target).length !== 2) return null
  if (api.name === 'chat') return refusesTools(fault) ? 'responses' : null
  return hasNoResponses(fault) ? 'chat' : null
}

const refusesTools = ({ status, param, message }: ChatFault): boolean =>
  status === 400 && param === 'reasoning_effort' && toolsRefused.test(message.trim())

function hasNoResponses(fault: ChatFault): boolean {
  const { status, code } = fault
  return status === 405 || (status === 404 && !isModel(fault)) || (status === 400 && code === 'unsupported_endpoint')
}

/** The code stands for a 404 that explains nothing too. */
const isModel = ({ code, param, message }: ChatFault): boolean =>
  code === 'model_not_found' && (param !== undefined || /model/i.test(message))
