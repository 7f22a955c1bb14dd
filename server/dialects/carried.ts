import type { ChatRequest, UserPart } from './chat.ts'
import { BadRequest, type Carried, type UpstreamDialect } from './dialect.ts'

const words: Record<Exclude<Carried, 'n' | 'logprobs'>, string> = {
  image: 'Pictures (image) cannot be sent to this model',
  audio: 'Sound (audio) cannot be sent to this model',
  file: 'Files (file, PDF) cannot be sent to this model',
  video: 'Films (video) cannot be sent to this model',
}

type Media = Exclude<UserPart, { type: 'text' }>

const isMedia = (part: UserPart): part is Media => part.type !== 'text'

/** Formats without a place for videos would carry one as a document. */
const kindOf = (part: Media) => (part.type === 'file' && /^data:video\//i.test(part.url) ? 'video' : part.type)

/** Also for vendors that have no likelihoods although their format does. */
export function refuseLogprobs({ logprobs }: { readonly logprobs?: unknown }): void {
  if (logprobs) throw new BadRequest('logprobs cannot be had from this model: leave it out', 'logprobs')
}

/** Refuses by name what would be lost on the way to a provider, so that nobody pays for an incomplete request. */
export function refuseUncarried(request: ChatRequest, upstream: UpstreamDialect): void {
  const { n = 1, logprobs, messages } = request
  if (!upstream.carries?.has('logprobs')) refuseLogprobs({ logprobs })
  if (n > 1 && !upstream.carries?.has('n'))
    throw new BadRequest('n (candidateCount) must be 1 with this model: it answers once', 'n')
  for (const message of messages) {
    if (message.role !== 'user' && message.role !== 'tool') continue
    const lost = message.parts
      .filter(isMedia)
      .map(kindOf)
      .find((kind) => !upstream.carries?.has(kind))
    if (lost) throw new BadRequest(words[lost], 'messages')
  }
}
