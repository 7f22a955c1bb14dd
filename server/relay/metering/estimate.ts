import { createTokenTally } from '#server/billing/counting/token-estimate.ts'
import type { Json } from '#server/dialects/dialect.ts'
import type { Ask } from '#server/relay/request/ask.ts'

/** Tokens of a picture, a recording or a file whose size nobody measured. */
const attachmentTokens = 1100

/** Fields that hold bytes, not text. */
const byteFields = new Set([
  'data',
  'file_data',
  'image_url',
  'url',
  'b64_json',
  'signature',
  'encrypted_content',
  'thoughtSignature',
])

/** An address, or base64: five hundred letters in a row are no language. */
const isBytes = (value: string): boolean =>
  value.startsWith('data:') || value.startsWith('http') || /^[\w+/=-]{512}/.test(value)

/** A quick guess at the input's tokens, a little on the safe side: every text in the body, attachments at a flat rate. */
export function estimateInput({ payload }: Ask): number {
  if (payload.kind === 'form') return attachmentTokens
  const tally = createTokenTally()
  let attachments = 0
  const visit = (value: Json | undefined, field: string): void => {
    if (typeof value === 'string') {
      if (byteFields.has(field) && isBytes(value)) attachments += 1
      else tally.add(value)
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, field)
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        tally.add(key)
        visit(value[key], key)
      }
    } else if (value !== undefined) tally.add('0000')
  }
  visit(payload.body, '')
  return tally.tokens() + attachments * attachmentTokens
}
