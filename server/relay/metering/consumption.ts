import { countChat, countTokens } from '#server/billing/counting/tokenizer.ts'
import type { BillableUsage } from '#server/billing/pricing/billable-usage.ts'
import type { ChatRequest } from '#server/dialects/chat.ts'
import { BadRequest, type ClientDialect } from '#server/dialects/dialect.ts'
import { reportedUsd } from '#server/dialects/reported-cost.ts'
import { objectOf } from '#server/lib/json.ts'
import type { Ask } from '#server/relay/request/ask.ts'
import type { Consumption } from './charges.ts'
import { countableOf } from './countable.ts'
import { estimateInput } from './estimate.ts'
import type { Meter } from './meter.ts'

/** What a conversation used: as reported, otherwise as counted. Nothing when nothing was answered. */
export function chatConsumption(ask: Ask, meter: Meter, approximate: boolean): Consumption | Promise<Consumption> {
  const reported = meter.reported()
  if (!meter.hasContent() && (reported?.output ?? 0) === 0) return { by: 'nothing' }
  const complete = reported !== null && !meter.outdated() && (reported.output > 0 || !meter.hasContent())
  if (complete && reported.input > 0) return { by: 'tokens', usage: reported, counted: false }
  return countedConsumption(ask, meter, approximate, complete ? reported.output : null)
}

/** For what nobody reported; `answered` is the output where that at least is known. */
async function countedConsumption(
  ask: Ask,
  meter: Meter,
  approximate: boolean,
  answered: number | null,
): Promise<Consumption> {
  const reported = meter.reported()
  const output = answered ?? Math.max(reported?.output ?? 0, await meter.countOutput(ask.model, approximate))
  const input = reported && reported.input > 0 ? reported.input : await countInput(ask, approximate)
  return { by: 'tokens', usage: { ...reported, input, output }, counted: true }
}

/** Tokens of the prompt, counted by us. */
export async function countInput(ask: Ask, approximate: boolean): Promise<number> {
  const { payload, entrance } = ask
  if (approximate || payload.kind === 'form') return estimateInput(ask)
  if (entrance.door.operation === 'chat') {
    const chat = understood(entrance.door.dialect, payload.body)
    return chat ? countChat(countableOf(chat), ask.model) : estimateInput(ask)
  }
  const { input, prompt, query, documents, content, requests } = payload.body
  const fields = [input, prompt, query, documents, content, requests]
  return idsIn(fields) + (await countTokens(textsIn(fields), ask.model))
}

/** A conversation that passed through may hold what only its provider understands. */
export function understood(dialect: ClientDialect, body: unknown): ChatRequest | null {
  try {
    return dialect.decodeRequest(body)
  } catch (error) {
    if (error instanceof BadRequest) return null
    throw error
  }
}

/** Texts wherever the operations keep them: plain, in lists, or as Gemini's `content.parts[].text`. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  const object = objectOf(value)
  return object ? textsIn(object.text ?? object.content ?? object.parts) : []
}

/** Prompts may come as numbers of tokens, alone or in lists. */
function idsIn(value: unknown): number {
  if (typeof value === 'number') return 1
  return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + idsIn(item), 0) : 0
}

const whole = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.ceil(value) : 0

/** Usage of the operations that are not conversations, in any of the shapes providers give it. */
export function reportedUsage(body: unknown): BillableUsage | null {
  const answer = objectOf(body)
  const usage = objectOf(answer?.usage) ?? objectOf(answer?.usageMetadata)
  if (!usage) return null
  const inputDetails =
    objectOf(usage.input_tokens_details) ?? objectOf(usage.input_token_details) ?? objectOf(usage.prompt_tokens_details)
  const input = whole(usage.input_tokens) || whole(usage.prompt_tokens) || whole(usage.promptTokenCount)
  const output = whole(usage.output_tokens) || whole(usage.completion_tokens)
  const total = whole(usage.total_tokens)
  if (input + output + total === 0) return null
  const cost = reportedUsd(usage)
  return {
    input: input || Math.max(0, total - output),
    output,
    ...(whole(inputDetails?.cached_tokens) ? { cacheRead: whole(inputDetails?.cached_tokens) } : {}),
    ...(whole(inputDetails?.image_tokens) ? { imageInput: whole(inputDetails?.image_tokens) } : {}),
    ...(whole(inputDetails?.audio_tokens) ? { audioInput: whole(inputDetails?.audio_tokens) } : {}),
    ...(cost === undefined ? {} : { reportedUsd: cost }),
  }
}

/** What an answer of another operation used. `body` is the parsed answer, or the end of it as text when it is not JSON. */
export async function operationConsumption(ask: Ask, body: unknown, approximate: boolean): Promise<Consumption> {
  const usage = reportedUsage(body)
  const { operation } = ask.entrance.door
  switch (operation) {
    case 'images':
    case 'image-edits':
    case 'image-variations': {
      const { data } = objectOf(body) ?? {}
      const n = Array.isArray(data) ? data.length : typeof body === 'string' ? ask.n : 0
      if (usage) return { by: 'tokens', usage: { ...usage, imageOutput: usage.output }, counted: false }
      if (n === 0) return { by: 'nothing' }
      return { by: 'pictures', n, ...textField(ask, 'size'), ...textField(ask, 'quality') }
    }
    case 'speech':
      return usage
        ? { by: 'tokens', usage, counted: false }
        : { by: 'characters', characters: [...String(fieldOf(ask, 'input') ?? '')].length }
    case 'transcriptions':
    case 'translations':
      if (usage) return { by: 'tokens', usage, counted: false }
      return { by: 'seconds', seconds: durationOf(body) || spokenSeconds(body) }
    default:
      if (usage) return { by: 'tokens', usage, counted: false }
      return {
        by: 'tokens',
        usage: { input: await countInput(ask, approximate), output: await textOutput(ask, body, approximate) },
        counted: true,
      }
  }
}

const fieldOf = (ask: Ask, name: string): unknown =>
  ask.payload.kind === 'json' ? ask.payload.body[name] : ask.payload.form.get(name)

function textField(ask: Ask, name: 'size' | 'quality'): { size?: string; quality?: string } {
  const value = fieldOf(ask, name)
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}

/** Text completions answer in `choices[].text`; embeddings, moderations and rankings have no output tokens. */
async function textOutput(ask: Ask, body: unknown, approximate: boolean): Promise<number> {
  const { choices } = objectOf(body) ?? {}
  if (!Array.isArray(choices)) return 0
  const texts = choices.map((choice) => String(objectOf(choice)?.text ?? ''))
  return approximate ? Math.ceil(texts.join('').length / 4) : countTokens(texts, ask.model)
}

function durationOf(body: unknown): number {
  const answer = objectOf(body)
  const usage = objectOf(answer?.usage)
  return Number(usage?.seconds ?? answer?.duration ?? 0) || 0
}

const wordsPerSecond = 2.5
const charactersPerSecond = 4.5
/** Written without spaces: each character is a syllable or more. */
const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu

/** A transcript that does not say how long the recording was: speech runs at about 150 words a minute. */
function spokenSeconds(body: unknown): number {
  const text = typeof body === 'string' ? body : String(objectOf(body)?.text ?? '')
  const characters = text.match(eastAsian)?.length ?? 0
  const words = text.replace(eastAsian, ' ').split(/\s+/).filter(Boolean).length
  return Math.max(1, Math.ceil(words / wordsPerSecond + characters / charactersPerSecond))
}
