/** Why a conversation is asked by one of OpenAI's two APIs. */
export const apiReasons = {
  only: 'the model exists in this API alone',
  plain: 'no tools: chat is the usual API',
  tools_in_chat: 'the model takes these tools in chat',
  tools: 'the model takes these tools in responses alone',
  tier: 'only responses know how the request is to be served',
  version: 'the API version of the channel has chat alone',
  fields: 'responses lack a field of the request',
  vendor: 'the vendor said so less than an hour ago',
} as const

export type ApiReason = keyof typeof apiReasons
