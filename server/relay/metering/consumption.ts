import { timesOpenaiTokens } from '#server/billing/counting/claude-tokens.ts'
import { countChat, countTokens } from '#server/billing/counting/tokenizer.ts'
import type { ChatRequest, Usage } from '#server/dialects/chat.ts'
import { BadRequest, type ClientDialect } from '#server/dialects/dialect.ts'
import { objectOf } from '#server/lib/json.ts'
import type { Outcome } from '#server/relay/relayed-request.ts'
import type { Ask, JsonBody } from '#server/relay/request/ask.ts'
import type { Consumption } from './charges.ts'
import { countableOf } from './countable.ts'
import { measureInput, sizeOf } from './input-size.ts'
import type { Meter } from './meter.ts'

/** What a conversation used: as reported, otherwise as counted. Nothing when nothing was answered. */
export function chatConsumption(
  ask: Ask,
  meter: Meter,
  approximate: boolean,
  outcome: Outcome = 'done',
): Consumption | Promise<Consumption> {
  const reported = meter.reported()
  const isEmpty = !meter.hasContent() && (reported?.output ?? 0) === 0 && !isPromptResult(ask, reported)
  // A client that leaves after the answer has begun pays the prompt: the vendor has read it.
  if (isEmpty && !(outcome === 'cut' && meter.hasBegun())) return { by: 'nothing' }
  const complete = reported !== null && !meter.outdated() && (reported.output > 0 || !meter.hasContent())
  const doubtful = meter.isDoubtful() ? { doubtful: true } : {}
  if (complete && reported.input > 0) return { by: 'tokens', usage: reported, counted: false, ...doubtful }
  return countedConsumption(ask, meter, approximate, complete ? reported.output : null)
}

/** A prompt that was written to a cache is a result by itself, even without an answer; so is one that was to be read alone. */
function isPromptResult({ payload, entrance }: Ask, reported: Usage | null): boolean {
  if (reported === null) return false
  if ((reported.cacheWrite ?? 0) + (reported.cacheWriteLong ?? 0) > 0) return true
  const limit = payload.kind === 'json' ? entrance.door.limit?.read(payload.body) : undefined
  return typeof limit === 'number' && limit <= readAlone && reported.input > 0
}

/** Who lets a model answer with no more tokens wants its prompt read, to keep it in a cache. */
const readAlone = 1

/** Counts what was not reported; `answered` is the output where at least that was reported. */
async function countedConsumption(
  asked: Ask,
  meter: Meter,
  approximate: boolean,
  answered: number | null,
): Promise<Consumption> {
  const ask = { ...asked, model: meter.countedAs(asked.model) }
  const { undivided = 0, ...reported } = meter.reported() ?? { input: 0, output: 0 }
  const counted = reported.input > 0 ? reported.input : await countInput(ask, approximate)
  // Where only a total was reported, the prompt's tokens are part of it and not added.
  const inTotal = Math.min(counted, undivided, reported.output)
  const input = inTotal > 0 ? inTotal : counted
  const said = (answered ?? reported.output) - inTotal
  const seen = async () => (await meter.countOutput(ask.model, approximate)) - (repeatsPrompt(ask, meter) ? input : 0)
  const output = answered === null ? Math.max(said, Math.min(await seen(), mostWritten(ask))) : said
  const doubtful = meter.isDoubtful() ? { doubtful: true } : {}
  return { by: 'tokens', usage: { ...reported, input, output }, counted: true, ...doubtful }
}

/** A count of Claude's tokens is a guess, and its limit holds for its thoughts too: no answer is longer. */
const mostWritten = ({ model, answerLimit, n }: Ask): number =>
  answerLimit !== null && timesOpenaiTokens(model) > 1 ? answerLimit * n : Number.POSITIVE_INFINITY

/** Whether an answer begins with the prompt because that was asked for. Not every vendor does what is asked, so it is looked for. */
function repeatsPrompt({ payload, entrance }: Ask, meter: Meter): boolean {
  if (entrance.door.operation !== 'completions' || payload.kind !== 'json') return false
  const { echo, prompt } = payload.body
  return echo === true && typeof prompt === 'string' && meter.beginsWith(prompt)
}

/** Tokens of the prompt, counted by us. */
export async function countInput(ask: Ask, approximate: boolean): Promise<number> {
  const { payload, entrance } = ask
  if (approximate || payload.kind === 'form') return (await measureInput(ask)).guessed
  if (entrance.door.operation === 'chat') {
    const chat = understood(entrance.door.dialect, payload.body)
    return chat ? countChat(countableOf(chat), ask.model) : (await measureInput(ask)).guessed
  }
  const { input, prompt, query, documents, content, requests, ...others } = payload.body
  const fields = [input, prompt, query, content, requests]
  const texts = await countTokens([...textsIn(fields), ...wordsIn(documents)], ask.model)
  return idsIn(fields) + texts + besideTexts(payload.body, others)
}

/** Settings take no more tokens than this; other names under which vendors take what is to be read do. */
const settingsMost = 256

/** What is read beside the texts: pictures, sound, and what stands under names of other vendors. */
function besideTexts(body: JsonBody, others: JsonBody): number {
  const { pictures, sound } = sizeOf(body)
  const beside = sizeOf(others)
  const elsewhere = beside.guessed - beside.pictures - beside.sound
  return pictures + sound + (elsewhere > settingsMost ? elsewhere : 0)
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

/** A document may say what it has to say under any names; its pictures are no words. */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(wordsIn)
  return Object.entries(objectOf(value) ?? {}).flatMap(([name, inner]) =>
    name === 'type' || name.startsWith('image') ? [] : wordsIn(inner),
  )
}

/** Prompts may come as numbers of tokens, alone or in lists. */
function idsIn(value: unknown): number {
  if (typeof value === 'number') return 1
  return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + idsIn(item), 0) : 0
}
