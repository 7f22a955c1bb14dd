import type { ReasoningPart } from '#server/dialects/chat.ts'
import { fromClient, tag, toClient, untag } from '#server/dialects/signature.ts'

/** Marks thinking only its maker can read, for which this format has no field of its own. */
const redactedMark = 'redacted '

/** OpenAI's proof is an item's id and its encrypted content: both must come back together. */
export function sealProof(id: string, encrypted: string): string {
  return tag('openai-responses', `${id} ${encrypted}`)
}

interface Proof {
  readonly id?: string
  readonly encrypted: string
}

function splitProof(own: string): Proof {
  const gap = own.indexOf(' ')
  return gap === -1 ? { encrypted: own } : { id: own.slice(0, gap), encrypted: own.slice(gap + 1) }
}

/** What OpenAI is sent back: its own proof only. */
export function ownProof(part: ReasoningPart): Proof | undefined {
  const own = untag('openai-responses', part.signature)
  return own === undefined ? undefined : splitProof(own)
}

/** What a client is given to keep. */
export function proofToClient(proof: Pick<ReasoningPart, 'signature' | 'redacted'>): Proof | undefined {
  if (proof.redacted !== undefined) return { encrypted: redactedMark + proof.redacted }
  if (proof.signature === undefined) return undefined
  const shown = toClient('openai-responses', proof.signature)
  return shown === proof.signature ? { encrypted: shown } : splitProof(shown)
}

/** What a client gives back. */
export function proofFromClient(id: string, encrypted: string): Pick<ReasoningPart, 'signature' | 'redacted'> {
  if (encrypted.startsWith(redactedMark)) return { redacted: encrypted.slice(redactedMark.length) }
  const kept = fromClient('openai-responses', encrypted)
  return { signature: kept === encrypted ? kept : sealProof(id, encrypted) }
}
