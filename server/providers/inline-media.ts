import type { AssistantPart, ChatRequest, Message, UserPart } from '#server/dialects/chat.ts'
import { BadRequest } from '#server/dialects/dialect.ts'
import { FetchRefused } from '#server/lib/network/guarded-fetch.ts'
import { createSlots } from '#server/lib/slots.ts'
import type { Tools } from './provider.ts'

type Part = UserPart | AssistantPart

type Media = Extract<Part, { type: 'image' | 'file' }>

const isRemote = (part: Part): part is Media =>
  (part.type === 'image' || part.type === 'file') && /^https?:/i.test(part.url)

const isAny = () => true

const filesMax = 32
const bytesMax = 64 * 1024 * 1024
const atOnce = 4

/** How often each address is named, since its bytes are sent that often. */
function timesNamed(parts: readonly Media[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const { url } of parts) times.set(url, (times.get(url) ?? 0) + 1)
  return times
}

/** All of them, each address once and a few at a time; too many or too much is refused. */
async function fetchAll(parts: readonly Media[], tools: Tools): Promise<Map<string, string>> {
  const named = [...timesNamed(parts)]
  if (named.length > filesMax) throw new BadRequest(`At most ${filesMax} files can be given by address.`, 'messages')
  const inSlot = createSlots(atOnce)
  let size = 0
  let isRefused = false
  const fetchOne = async ([url, times]: readonly [string, number]) => {
    // After one failure no further download is begun.
    if (isRefused) throw tooMuch()
    try {
      const bytes = await bytesOf(url, tools)
      size += (times * bytes.length * 3) / 4
      if (size > bytesMax) throw tooMuch()
      return [url, bytes] as const
    } catch (error) {
      isRefused = true
      throw error
    }
  }
  return new Map(await Promise.all(named.map((one) => inSlot(() => fetchOne(one)))))
}

const tooMuch = () => new BadRequest('The files given by address are larger than 64 MB together.', 'messages')

async function bytesOf(url: string, tools: Tools): Promise<string> {
  try {
    return await tools.fetchBytes(url)
  } catch (error) {
    if (error instanceof FetchRefused) throw new BadRequest(error.message, 'messages')
    throw error
  }
}

/** The request with every file in it as bytes, for providers that fetch pictures alone. */
export const inlineFiles = (request: ChatRequest, tools: Tools): Promise<ChatRequest> =>
  inlineMedia(request, tools, ({ type }) => type === 'file')

/** The request with every picture and file in it as bytes, for providers that fetch nothing themselves. */
export async function inlineMedia(
  request: ChatRequest,
  tools: Tools,
  isWanted: (part: Media) => boolean = isAny,
): Promise<ChatRequest> {
  const isDue = (part: Part): part is Media => isRemote(part) && isWanted(part)
  const parts: readonly Part[] = request.messages.flatMap((message): readonly Part[] => message.parts)
  const due = parts.filter(isDue)
  if (due.length === 0) return request
  const fetched = await fetchAll(due, tools)
  const inlined = <P extends Part>(part: P): P =>
    isDue(part) ? { ...part, url: fetched.get(part.url) ?? part.url } : part
  const messages = request.messages.map((message): Message => {
    if (message.role === 'assistant')
      return { ...message, parts: message.parts.map((part) => inlined<AssistantPart>(part)) }
    if (message.role === 'user' || message.role === 'tool')
      return { ...message, parts: message.parts.map((part) => inlined<UserPart>(part)) }
    return message
  })
  return { ...request, messages }
}
