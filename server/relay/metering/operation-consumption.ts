import { countTokens } from '#server/billing/counting/tokenizer.ts'
import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import type { Pictures, Speech } from '#server/billing/pricing/charge-each.ts'
import { ofModality } from '#server/dialects/gemini/usage.ts'
import { reportedUsd, unseenOutput } from '#server/dialects/vendor-report.ts'
import { amountOf, arrayOf, objectOf } from '#server/lib/json.ts'
import { recordingSeconds } from '#server/lib/media/recording-length.ts'
import { type Ask, bodyOf } from '#server/relay/request/ask.ts'
import { soundTokensPerSecond } from './attachments.ts'
import { rentedTokens } from './cache-rent.ts'
import type { Consumption } from './charges.ts'
import { countInput } from './consumption.ts'
import { measureInput } from './input-size.ts'
import { isTooLong, plausibleSeconds, plausibleUsage } from './plausible-usage.ts'
import { billedSearches } from './search-units.ts'

const whole = (value: unknown): number => Math.ceil(amountOf(value))

/** Usage of the operations that are not conversations, as far as it may be true. */
export function reportedUsage(body: unknown): BillableUsage | null {
  const read = usageIn(body)
  const usage = read && plausibleUsage(read)
  return usage && usage.input + usage.output > 0 ? usage : null
}

/** The report itself, in any of the shapes providers give it. */
function usageIn(body: unknown): BillableUsage | null {
  const answer = objectOf(body)
  const usage = objectOf(answer?.usage) ?? objectOf(answer?.usageMetadata)
  if (!usage) return null
  const inputDetails =
    objectOf(usage.input_tokens_details) ?? objectOf(usage.input_token_details) ?? objectOf(usage.prompt_tokens_details)
  const outputDetails = objectOf(usage.output_tokens_details) ?? objectOf(usage.completion_tokens_details)
  const input = whole(usage.input_tokens) || whole(usage.prompt_tokens) || whole(usage.promptTokenCount)
  const output = whole(usage.output_tokens) || whole(usage.completion_tokens)
  const total = whole(usage.total_tokens)
  if (input + output + total === 0) return null
  const known = (name: string, tokens: number) => (tokens > 0 ? { [name]: tokens } : {})
  const cost = reportedUsd(usage)
  const byKind = (kind: string) => ofModality(usage.promptTokensDetails, kind) ?? 0
  return {
    input: input || Math.max(0, total - output),
    output: input === 0 ? output : output + unseenOutput(total, input + output),
    ...known('cacheRead', whole(inputDetails?.cached_tokens)),
    ...known('imageInput', whole(inputDetails?.image_tokens) || byKind('IMAGE')),
    ...known('audioInput', whole(inputDetails?.audio_tokens) || byKind('AUDIO') + byKind('VIDEO')),
    ...known('imageOutput', whole(outputDetails?.image_tokens)),
    ...known('reasoning', whole(outputDetails?.reasoning_tokens)),
    ...(cost === undefined ? {} : { reportedUsd: cost }),
  }
}

/** Of a report of nothing but a total, what the prompt does not take was drawn. */
async function divided(ask: Ask, body: unknown, usage: BillableUsage, approximate: boolean): Promise<BillableUsage> {
  const { usage: report } = objectOf(body) ?? {}
  const { input_tokens: asked, prompt_tokens: read } = objectOf(report) ?? {}
  if (usage.output > 0 || amountOf(asked) + amountOf(read) > 0) return usage
  const input = Math.min(usage.input, await countInput(ask, approximate))
  return { ...usage, input, output: usage.input - input }
}

/** Thoughts are text; the rest of what a picture model answers is pictures, unless it says otherwise. */
function drawnUsage(usage: BillableUsage): BillableUsage {
  return { ...usage, imageOutput: usage.imageOutput ?? Math.max(0, usage.output - (usage.reasoning ?? 0)) }
}

function drawn(ask: Ask, body: unknown): Pictures {
  const n = typeof body === 'string' ? ask.n : Math.min(ask.n, shownPictures(body))
  return { n, ...textField(ask, 'size'), ...textField(ask, 'quality') }
}

/** How many pictures an answer says it drew, else how many it shows, be it more than were asked for. */
function shownPictures(body: unknown): number {
  const { images, data = images, predictions, usage } = objectOf(body) ?? {}
  const said = amountOf(objectOf(usage)?.generated_images)
  return Math.ceil(said) || arrayOf(data).length || arrayOf(predictions).filter(isDrawn).length
}

/** What was filtered out comes with a reason and without a picture. */
const isDrawn = (prediction: unknown): boolean => {
  const { bytesBase64Encoded, gcsUri } = objectOf(prediction) ?? {}
  return bytesBase64Encoded !== undefined || gcsUri !== undefined
}

type Doubtful = Extract<Consumption, { readonly doubtful?: boolean }>

const mayBeDoubtful = (consumption: Consumption): consumption is Doubtful =>
  consumption.by === 'tokens' || consumption.by === 'seconds' || consumption.by === 'pictures'

/** What an answer of another operation used. `body` is the parsed answer, or the end of it as text when it is not JSON. */
export async function operationConsumption(ask: Ask, body: unknown, approximate: boolean): Promise<Consumption> {
  const consumption = await consumptionOf(ask, body, approximate)
  const read = usageIn(body)
  if (!mayBeDoubtful(consumption)) return consumption
  const isDrawing = consumption.by === 'pictures' || (consumption.by === 'tokens' && consumption.pictures !== undefined)
  const isDoubtful =
    (read !== null && plausibleUsage(read) !== read) ||
    saidSeconds(body).some(isTooLong) ||
    (isDrawing && shownPictures(body) > ask.n)
  return isDoubtful ? { ...consumption, doubtful: true } : consumption
}

async function consumptionOf(ask: Ask, body: unknown, approximate: boolean): Promise<Consumption> {
  const usage = reportedUsage(body)
  const { operation } = ask.entrance.door
  switch (operation) {
    case 'images':
    case 'image-edits':
    case 'image-variations': {
      const pictures = drawn(ask, body)
      if (usage) {
        const drawnTokens = drawnUsage(await divided(ask, body, usage, approximate))
        return { by: 'tokens', usage: drawnTokens, counted: false, pictures }
      }
      return pictures.n === 0 ? { by: 'nothing' } : { by: 'pictures', ...pictures }
    }
    case 'predict': {
      const n = Math.min(ask.n, shownPictures(body))
      return n === 0 ? { by: 'nothing' } : { by: 'pictures', n }
    }
    case 'speech':
      return usage
        ? { by: 'tokens', usage, counted: false }
        : { by: 'characters', ...spoken(ask, await textTokens(ask, [speechText(ask, 'instructions')], approximate)) }
    case 'transcriptions':
    case 'translations': {
      const seconds = await playedSeconds(ask, body)
      return usage ? { by: 'tokens', usage, counted: false, seconds } : { by: 'seconds', seconds }
    }
    case 'caches': {
      const report = objectOf(objectOf(body)?.usageMetadata)
      const { input: kept } = plausibleUsage({ input: whole(report?.totalTokenCount), output: 0 })
      const read = kept || (await countInput(ask, approximate))
      const played = whole(report?.audioDurationSeconds) * soundTokensPerSecond
      // It is read at the price of sound, and kept at that of any other.
      const audioInput = Math.min(read, Math.max(played, (await measureInput(ask)).sound))
      return {
        by: 'tokens',
        usage: { input: rentedTokens(read, bodyOf(ask)), output: 0, audioInput },
        counted: kept === 0,
      }
    }
    default: {
      const searches = billedSearches(ask, body)
      if (usage) return { by: 'tokens', usage, counted: false, searches }
      const input = await countInput(ask, approximate)
      const output = await textOutput(ask, body, approximate)
      const { pictures: imageInput, sound: audioInput } = await measureInput(ask)
      return { by: 'tokens', searches, usage: { input, output, imageInput, audioInput }, counted: true }
    }
  }
}

export const fieldOf = (ask: Ask, name: string): unknown =>
  ask.payload.kind === 'json' ? ask.payload.body[name] : ask.payload.form.get(name)

function textField(ask: Ask, name: 'size' | 'quality'): { size?: string; quality?: string } {
  const value = fieldOf(ask, name)
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}

export const speechText = (ask: Ask, name: 'input' | 'instructions'): string => String(fieldOf(ask, name) ?? '')

/** What is to be said, with so many tokens of instructions; slow speech takes longer. */
export function spoken(ask: Ask, instructions: number): Speech {
  const speed = Number(fieldOf(ask, 'speed') ?? 1)
  return {
    characters: [...speechText(ask, 'input')].length,
    slowness: speed > 0 && speed < 1 ? 1 / speed : 1,
    instructions,
  }
}

/** Text completions answer in `choices[].text`; embeddings, moderations and rankings have no output tokens. */
async function textOutput(ask: Ask, body: unknown, approximate: boolean): Promise<number> {
  const { choices } = objectOf(body) ?? {}
  if (!Array.isArray(choices)) return 0
  const texts = choices.map((choice) => String(objectOf(choice)?.text ?? ''))
  return textTokens(ask, texts, approximate)
}

const textTokens = async (ask: Ask, texts: readonly string[], approximate: boolean): Promise<number> =>
  approximate ? Math.ceil(texts.join('').length / 4) : countTokens(texts, ask.model)

/** A recording of no known kind is taken to run at the thinnest usual rate. */
const usualBytesPerSecond = 4000

/** What an answer says its vendor bills, and how long it says the recording plays. */
function saidSeconds(body: unknown): readonly [unknown, unknown] {
  const answer = objectOf(body)
  return [objectOf(answer?.usage)?.seconds, answer?.duration]
}

/** How long the recording plays: as its vendor bills it, as the file itself says, or as the answer does. */
async function playedSeconds({ payload }: Ask, body: unknown): Promise<number> {
  const [billed = 0, reported = 0] = saidSeconds(body).map(plausibleSeconds)
  if (billed > 0) return billed
  const file = payload.kind === 'form' ? payload.form.get('file') : null
  if (file === null || typeof file === 'string') return Math.max(1, reported)
  const measured = recordingSeconds(await file.bytes())
  return Math.max(reported, measured ?? (reported > 0 ? 0 : Math.max(1, Math.ceil(file.size / usualBytesPerSecond))))
}
