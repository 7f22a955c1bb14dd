import type { ChatRequest } from '#server/dialects/chat.ts'

/** The request with those of its tools alone that may be called: other formats cannot offer a tool and forbid it. */
export function withAllowedTools(request: ChatRequest): ChatRequest {
  const { tools, allowedTools } = request
  if (!tools || !allowedTools) return request
  const allowed = new Set(allowedTools)
  return { ...request, tools: tools.filter(({ name }) => allowed.has(name)) }
}

/** Names of tools, where any are given. */
export const allowedNames = (names: readonly (string | undefined)[]): Pick<ChatRequest, 'allowedTools'> => {
  const known = names.filter((name) => name !== undefined)
  return names.length === 0 ? {} : { allowedTools: known }
}
