import type { AssistantPart, ChatRequest, ImagePart, Message, UserPart } from './chat.ts'

function* textOfPart(part: UserPart | AssistantPart): Iterable<string> {
  if (part.type === 'tool-call') {
    yield part.name
    yield part.arguments
  } else if (part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning') yield part.text
}

function* textOfMessage(message: Message): Iterable<string> {
  if ('name' in message && message.name !== undefined) yield message.name
  for (const part of message.parts) yield* textOfPart(part)
}

/** Every text a provider counts as input: messages, calls and their results, tools and the wanted form of the answer. */
export function* textOfRequest(request: ChatRequest): Iterable<string> {
  for (const message of request.messages) yield* textOfMessage(message)
  for (const tool of request.tools ?? []) {
    yield tool.name
    if (tool.description !== undefined) yield tool.description
    if (tool.parameters !== undefined) yield JSON.stringify(tool.parameters)
  }
  if (request.responseFormat?.type === 'json-schema') yield JSON.stringify(request.responseFormat.schema)
}

/** The pictures of a request, which providers count by size and detail. */
export function imagesOfRequest(request: ChatRequest): readonly ImagePart[] {
  return request.messages.flatMap((message) => {
    const parts: readonly (UserPart | AssistantPart)[] = message.parts
    return parts.filter((part) => part.type === 'image')
  })
}
