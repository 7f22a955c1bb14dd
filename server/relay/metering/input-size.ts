import { denseTokens } from '#server/billing/counting/dense-tokens.ts'
import { pieceLength, piecesOf, textSize } from '#server/billing/counting/text-size.ts'
import { quartersOf } from '#server/billing/counting/token-estimate.ts'
import type { Json } from '#server/dialects/dialect.ts'
import { amountOf } from '#server/lib/json.ts'
import { memoize } from '#server/lib/memoize.ts'
import { workTurn } from '#server/lib/turns/work-turns.ts'
import type { Ask, JsonBody } from '#server/relay/request/ask.ts'
import { isBareReasoning, isItemReference } from '#server/relay/request/item-references.ts'
import { attachmentIn, pictureTokens, pictureTokensMost, pictureTokensUsual } from './attachments.ts'

/** How large a prompt is taken to be before anybody has counted it. */
export interface InputSize {
  /** All that can be measured, a little on the safe side. */
  readonly tokens: number
  /** The same as a guess at what it is, where nobody reports it: not on the safe side. */
  readonly guessed: number
  /** Of these, pictures and sound. */
  readonly pictures: number
  readonly sound: number
  /** It names something whose size only the vendor knows. */
  readonly isOpen: boolean
  /** It asks for its prompt to be kept in a cache. */
  readonly writesCache: boolean
}

/** State the vendor keeps: what is in it counts as prompt. */
const stateFields = [
  ...(['previous_response_id', 'conversation', 'cachedContent', 'cached_content', 'container'] as const),
  ...(['continuationToken', 'continuation_token', 'data_sources'] as const),
]

/** Fields that name cached content. */
const cachedFields = new Set(['cachedContent', 'cached_content'])

/** Signatures and encrypted reasoning: no language, but as long as what they seal, which its vendor may read again. */
const sealedFields = new Set(['signature', 'encrypted_content', 'thoughtSignature', 'thought_signature'])
/** A guess at what is sealed where its text may stand beside it. */
const sealedTokensUsual = 1100
/** What is sealed is written in the letters of base64 or alike: anything else may be read as it stands. */
const isSealed = (value: string): boolean => /^[!-~]*$/.test(value)

/** Arguments and results of tools are data, so field names inside them have no meaning. */
const dataFields: ReadonlySet<string> = new Set([
  ...(['args', 'arguments', 'parameters', 'input_schema', 'schema', 'response', 'metadata'] as const),
  ...(['parametersJsonSchema', 'parameters_json_schema', 'responseJsonSchema', 'response_json_schema'] as const),
  ...(['responseSchema', 'response_schema'] as const),
])

/** Shorter texts are guessed at together: each by itself would be rounded up. */
const shortMost = 128
/** By so many tokens short texts may be more than prose before it is held: most are names. */
const sparseTokens = 64

/** The resolution at which Google's models read pictures, for one picture or for all. */
const closenessFields = new Set(['mediaResolution', 'media_resolution'])
/** Tokens of any picture at the highest resolution. */
const closestTokens = 2240
/** Google accepts the numbers of its enum values as well. */
const isClosest = (value: Json | undefined): boolean => /ULTRA|\b[4-9]\b/.test(JSON.stringify(value ?? ''))

/** Fields by which Qwen's models are asked to read more pixels of a picture than usual, and to enlarge a small one to so many. */
const finenessFields = new Set(['vl_high_resolution_images', 'max_pixels'])
const enlargedTo = 'min_pixels'
/** They make a token of 28 by 28 pixels or of more. */
const enlargedPixelsPerToken = 784
const enlargedTokens = (pixels: Json | undefined): number =>
  Math.min(pictureTokensMost, Math.ceil(amountOf(pixels) / enlargedPixelsPerToken))

const hasValue = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== ''

interface Running {
  /** Quarters of tokens of short texts, which are rounded together. */
  quarters: number
  dense: number
  /** Of what is dense, as if it were prose. */
  plain: number
  /** By how many tokens short texts and the marks between data are more than prose. */
  beyond: number
  pictures: number
  /** How many those are, and whether any is to be looked at as closely as can be. */
  shown: number
  isClose: boolean
  /** What they are where all of their pixels are read, whether that is asked for, and how many tokens each is enlarged to. */
  finely: number
  isFine: boolean
  least: number
  sound: number
  isOpen: boolean
  writesCache: boolean
}

/** How large a short text is as prose, and by how many tokens it is more. */
function shortSize(text: string): { readonly quarters: number; readonly beyond: number } {
  const quarters = quartersOf(text)
  return { quarters, beyond: Math.max(0, denseTokens(text) - quarters / 4) }
}

/** Requests have the same names again and again. */
const nameSize = memoize(2000, shortSize)

function addText(running: Running, text: string, sizeOfShort = shortSize): void {
  if (text.length < shortMost) {
    const { quarters, beyond } = sizeOfShort(text)
    running.quarters += quarters
    running.beyond += beyond
  } else {
    const { plain, dense } = textSize(text)
    running.plain += plain
    running.dense += dense
  }
}

/** Where a value stands in the body. */
interface Place {
  readonly field: string
  readonly owner: JsonBody
  readonly isData: boolean
}

function addPicture(running: Running, tokens: number): void {
  running.pictures += Math.min(pictureTokensUsual, tokens)
  running.finely += tokens
  running.shown += 1
}

function addString(running: Running, value: string, { field, owner, isData }: Place): void {
  if (!isData && sealedFields.has(field) && isSealed(value)) {
    const sealed = Math.ceil(value.length / 4)
    running.plain += Math.min(sealedTokensUsual, sealed)
    running.dense += sealed
    return
  }
  const attachment = isData ? null : attachmentIn(field, value, owner)
  if (!attachment) addText(running, value)
  else if (attachment.kind === 'unknown') running.isOpen = true
  else if (attachment.kind === 'picture') addPicture(running, attachment.tokens)
  else running.sound += attachment.tokens
}

/** What a piece of a conversation calls a tool with; the request itself is none, whatever it says. */
const isToolUse = (owner: JsonBody, { field }: Place): boolean =>
  field !== '' && typeof owner.type === 'string' && owner.type.endsWith('tool_use')

/** What its vendor knows by an id alone and reads again: earlier items, and sound that it answered. */
const isKept = (value: JsonBody, { field }: Place): boolean =>
  value.type === 'item_reference' ||
  (field === 'input' && (isItemReference(value) || isBareReasoning(value))) ||
  (field === 'audio' && typeof value.id === 'string')

function visit(running: Running, value: Json | undefined, place: Place): void {
  // Among data a vendor reads the brackets, quotes and commas too.
  if (place.isData) running.beyond += 1
  if (typeof value === 'string') addString(running, value, place)
  else if (Array.isArray(value)) {
    for (const item of value) visit(running, item, place)
  } else if (typeof value === 'object' && value !== null) {
    if (!place.isData && isKept(value, place)) running.isOpen = true
    for (const key in value) {
      addText(running, key, nameSize)
      if (place.isData) running.beyond += 1
      if (key === 'cache_control') running.writesCache = true
      if (closenessFields.has(key)) running.isClose ||= isClosest(value[key])
      if (finenessFields.has(key)) running.isFine ||= Boolean(value[key])
      if (key === enlargedTo) running.least = Math.max(running.least, enlargedTokens(value[key]))
      const isData = place.isData || dataFields.has(key) || (key === 'input' && isToolUse(value, place))
      if (!isData && cachedFields.has(key) && hasValue(value[key])) running.isOpen = true
      visit(running, value[key], { field: key, owner: value, isData })
    }
  } else if (value !== undefined) {
    running.quarters += 4
    if (place.isData) running.beyond += denseTokens(String(value)) - 1
  }
}

const nothingRead = (): Running => ({
  quarters: 0,
  dense: 0,
  plain: 0,
  beyond: 0,
  pictures: 0,
  shown: 0,
  isClose: false,
  finely: 0,
  isFine: false,
  least: 0,
  sound: 0,
  isOpen: false,
  writesCache: false,
})

function sizeRead({ quarters, dense, plain, beyond, pictures, sound, isOpen, writesCache }: Running): InputSize {
  const rest = Math.ceil(quarters / 4) + pictures + sound
  return {
    tokens: rest + dense + Math.ceil(Math.max(0, beyond - sparseTokens)),
    guessed: rest + plain,
    pictures,
    sound,
    isOpen,
    writesCache,
  }
}

/** The same of a body by itself. */
export function sizeOf(body: JsonBody): InputSize {
  const running = nothingRead()
  visit(running, body, { field: '', owner: body, isData: false })
  if (running.isFine) running.pictures = running.finely
  const each = Math.max(running.least, running.isClose ? closestTokens : 0)
  running.pictures = Math.max(running.pictures, running.shown * each)
  running.isOpen ||= stateFields.some((field) => hasValue(body[field])) || isStoredPrompt(body)
  return sizeRead(running)
}

/** A prompt that is kept at the vendor and named by its id. */
const isStoredPrompt = ({ prompt }: JsonBody): boolean =>
  typeof prompt === 'object' && prompt !== null && !Array.isArray(prompt)

const isFile = (value: FormDataEntryValue): value is File => typeof value !== 'string'

/** What a picture takes more that is to be kept as it is, at most: it is looked at twice. */
const fidelityTokens = 6240
const alwaysFaithful = /^gpt-image-[2-9]/

const isFaithful = (form: FormData, model: string): boolean =>
  alwaysFaithful.test(model) || (form.get('input_fidelity') ?? 'low') !== 'low'

/** Pictures of a form, and the words that say what to do with them, as they are in a body. */
async function formSize(form: FormData, model: string): Promise<InputSize> {
  const running = nothingRead()
  for (const [name, value] of form) {
    const [field = ''] = name.split('[', 1)
    if (!isFile(value)) addString(running, value, { field, owner: {}, isData: false })
    else if (name !== 'file') {
      addPicture(running, pictureTokens(await value.slice(0, 64 * 1024).bytes()))
    }
  }
  if (isFaithful(form, model)) running.pictures += running.shown * fidelityTokens
  return sizeRead(running)
}

export function measureInput({ payload, model }: Ask): InputSize | Promise<InputSize> {
  if (payload.kind === 'form') return formSize(payload.form, model)
  return payload.text.length > pieceLength ? sizeOfLong(payload.body) : sizeOf(payload.body)
}

/** The same as `sizeOf`; others have their turn between the pieces of long texts. */
async function sizeOfLong(body: JsonBody): Promise<InputSize> {
  for (const text of longTexts(body)) {
    for (const piece of piecesOf(text)) {
      // What has been read is known when all of it is added up.
      textSize(piece)
      await workTurn()
    }
  }
  return sizeOf(body)
}

function* longTexts(value: Json | undefined, field = '', owner: JsonBody = {}): Generator<string> {
  if (typeof value === 'string') {
    if (value.length > pieceLength && !attachmentIn(field, value, owner)) yield value
  } else if (Array.isArray(value)) {
    for (const item of value) yield* longTexts(item, field, owner)
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) yield* longTexts(value[key], key, value)
  }
}
