import type { ChatFault } from '#server/dialects/chat.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { messageWithId } from '#server/dialects/error-body.ts'

/** OpenAI's error shape, shared by its chat and responses formats. */
export function encodeError(fault: ChatFault, requestId: string): Json {
  return {
    error: {
      message: messageWithId(fault, requestId),
      type: fault.type,
      param: fault.param ?? null,
      code: fault.code ?? null,
    },
  }
}
