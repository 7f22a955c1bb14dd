import type { ChatFault } from '#server/dialects/chat.ts'
import { faultOfBody } from '#server/dialects/error-body.ts'
import { unreadable } from '#server/dialects/fault.ts'
import { AnswerTooLong, textIn, wholeBytesMax } from '#server/lib/http1/http-response.ts'
import { type JsonObject, objectOf, parseJson, textOf } from '#server/lib/json.ts'
import { Pieces } from '#server/lib/streams/pieces.ts'
import { RelayFault, refuse } from '#server/relay/refusals.ts'
import { VendorRefusal } from './vendor-refusal.ts'
import { bytesOf } from './vendor-stream.ts'
import { withoutKey } from './without-key.ts'

export type VendorAnswer =
  | { readonly ok: true; readonly body: JsonObject }
  | { readonly ok: false; readonly fault: ChatFault }

const nameOf = ({ id, name }: JsonObject): string | undefined => textOf(id) ?? textOf(name)

/** Reads a successful answer: a page or a lone error is a fault. A thing with an id may contain an error, for it may have failed. */
export function answerIn(text: string, key: string): VendorAnswer {
  const body = objectOf(parseJson(text))
  if (!body) return { ok: false, fault: unreadable() }
  if (body.error && !nameOf(body)) return { ok: false, fault: withoutKey(faultOfBody(200, body), key) }
  return { ok: true, body }
}

/** The whole answer to something that was sent. One that breaks off leaves open whether the vendor has taken it. */
export async function textAfterSending(answer: Response): Promise<string> {
  const pieces = new Pieces()
  try {
    for await (const piece of bytesOf(answer)) {
      pieces.add(piece)
      if (pieces.size > wholeBytesMax) throw new AnswerTooLong()
    }
  } catch (error) {
    if (error instanceof RelayFault) throw error
    throw refuse('answerLost')
  }
  return textIn(pieces.take())
}

/** What a vendor made of something that was sent to it; throws when it made nothing that has a name. */
export async function madeIn(answer: Response, key: string): Promise<JsonObject> {
  const said = answerIn(await textAfterSending(answer), key)
  if (!said.ok) throw new VendorRefusal(said.fault)
  return named(said.body)
}

/** Throws when what was made has no id. */
export function named(made: JsonObject): JsonObject {
  if (!nameOf(made)) throw new RelayFault(unreadable())
  return made
}
