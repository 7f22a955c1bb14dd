import { gemini } from '#server/dialects/gemini/gemini.ts'
import { amountOf, arrayOf, type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { geminiFileDays, keepThing, keptBy } from '#server/relay/files/file-store.ts'
import { geminiBytes } from '#server/relay/files/gemini-files.routes.ts'
import { workerOf } from '#server/relay/long-work/look.ts'
import { askList, isNear } from '#server/relay/long-work/vendor-list.ts'
import type { Work, WorkKind } from '#server/relay/long-work/work.ts'
import type { RelayContext } from '#server/relay/relay-context.ts'
import { type BatchFacts, batchDays, readingMs } from './batch-facts.ts'
import { resultsOf } from './lines.ts'
import { createTally } from './tally.ts'

/** The result of an operation: its response, or the output of the batch. */
const outputsOf = (operation: JsonObject): JsonObject[] =>
  [objectOf(operation.response), objectOf(objectOf(operation.metadata)?.output)].filter(
    (output) => output !== undefined,
  )

/** Answers that come with the operation, in the order of the questions. */
function inlined(operation: JsonObject): readonly unknown[] {
  for (const output of outputsOf(operation)) {
    const list = objectOf(output.inlinedResponses)?.inlinedResponses ?? output.inlinedResponses
    if (Array.isArray(list)) return arrayOf(list)
  }
  return []
}

const resultsFile = (operation: JsonObject): string | undefined =>
  outputsOf(operation).flatMap((output) => textOf(output.responsesFile) ?? [])[0]

async function used(context: RelayContext, work: Work, operation: JsonObject) {
  const tally = createTally(work)
  for (const [at, entry] of inlined(operation).entries()) {
    const line = objectOf(entry)
    if (line?.response) await tally.add(String(at), line.response, gemini)
  }
  const file = resultsFile(operation)
  if (file) {
    const channel = await workerOf(context, work)
    for await (const line of resultsOf(await geminiBytes(context, channel, file, AbortSignal.timeout(readingMs)))) {
      if (line.response) await tally.add(textOf(line.key) ?? '', line.response, gemini)
    }
  }
  return tally.used()
}

/** The operation without its answers, which can be large. */
function bare(operation: JsonObject): JsonObject {
  const { response: _, ...rest } = operation
  const { output: __, ...metadata } = objectOf(rest.metadata) ?? {}
  const file = resultsFile(operation)
  return { ...rest, metadata: file ? { ...metadata, output: { responsesFile: file } } : metadata }
}

async function keep(context: RelayContext, work: Work, operation: JsonObject): Promise<void> {
  const held = keptBy(work)
  await keepThing(context, held, {
    kind: 'gemini-batch',
    thing: { ...bare(operation), name: work.vendor_id },
    days: batchDays,
    madeAt: work.created_at,
  })
  const file = resultsFile(operation)
  // Results become the user's only when they are paid.
  if (file && geminiBatch.state(operation) !== 'running')
    await keepThing(context, held, { kind: 'gemini-file', thing: { name: file }, days: geminiFileDays })
}

/** The facts by which a batch is found in Google's list. */
export interface GeminiBatchFacts extends BatchFacts {
  readonly model: string
  readonly displayName: string
}

/** Google shows of a batch its name, its model and how many lines it has. */
const find: NonNullable<WorkKind['find']> = async (context, work, isNew) => {
  const { model, displayName, lines } = work.facts.more as GeminiBatchFacts
  const list = await askList(context, await workerOf(context, work), '/batches?pageSize=100')
  const found: JsonObject[] = []
  for (const entry of arrayOf(list.operations)) {
    const operation = objectOf(entry) ?? {}
    const batch = objectOf(operation.metadata) ?? {}
    const count = objectOf(batch.batchStats)?.requestCount
    const isAlike =
      Boolean(displayName) &&
      batch.displayName === displayName &&
      batch.model === `models/${model}` &&
      (count === undefined || Number(count) === lines) &&
      isNear(batch.createTime, work.created_at)
    if (isAlike && (await isNew(textOf(operation.name) ?? ''))) found.push(operation)
  }
  const [answer, another] = found
  return answer && !another ? { answer } : 'none'
}

const states: Readonly<Record<string, 'done' | 'cut' | 'failed'>> = {
  SUCCEEDED: 'done',
  PARTIALLY_SUCCEEDED: 'done',
  CANCELLED: 'cut',
  EXPIRED: 'cut',
  FAILED: 'failed',
}

/** Lines were answered, and Google does not show the answers yet. */
function isUnshown(operation: JsonObject): boolean {
  const answered = objectOf(objectOf(operation.metadata)?.batchStats)?.successfulRequestCount
  return amountOf(answered) > 0 && inlined(operation).length === 0 && resultsFile(operation) === undefined
}

export const geminiBatch: WorkKind = {
  name: 'gemini-batch',
  idOf: ({ name }) => textOf(name),
  find,
  path: (name) => `/${name}`,
  state(operation) {
    const state = textOf(objectOf(operation.metadata)?.state) ?? textOf(operation.state) ?? ''
    const known = states[state.replace(/^(BATCH|JOB)_STATE_/, '')]
    if (known !== 'failed' && isUnshown(operation)) return 'running'
    if (known) return known
    if (operation.done !== true) return 'running'
    return operation.error ? 'failed' : 'done'
  },
  used,
  keep,
}
