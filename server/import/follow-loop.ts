import { type Difference, differencesOf, followRound } from './follow.ts'
import { type ImportTarget, importDatabase, lost, sameProgram } from './import-database.ts'
import { type ImportRequest, type OpenImport, openImport } from './open-import.ts'
import type { ProgramName } from './program.ts'
import { createReport, type Report } from './report.ts'
import type { Check } from './source/damage.ts'
import { ImportRefused, SourceLost } from './source/source.ts'
import { createSeen } from './store/seen.ts'
import { inspectTarget } from './store/target.ts'

interface Following {
  readonly asked: ImportRequest
  readonly report: Report
  /** Fires when it is time to end. */
  readonly stop: AbortSignal
  readonly everyMs: number
  /** A line for whoever watches. */
  say(line: string): void
}

export interface Followed {
  readonly program: ProgramName
  readonly rounds: number
  readonly differences: readonly Difference[]
}

/** Takes everything over, then again and again what is new, until it is stopped; then once more, and compares. */
export async function follow(
  target: ImportTarget,
  { asked, report, stop, everyMs, say }: Following,
): Promise<Followed> {
  // Its program is at work: a file is looked at once, and no more of it than is read as of one moment.
  let check: Check = 'books'
  const work = <Result>(of: (opened: OpenImport) => Promise<Result>) => opened(target, { ...asked, check }, report, of)
  const seen = createSeen()
  const program = await work(async ({ program: { name }, reader }) => {
    const state = await inspectTarget(target.database.db)
    if (state.kind === 'imported') sameProgram(state.marker, name)
    if (state.kind === 'imported') await followRound(target, { reader, report, seen, number: 0, isLast: false })
    else await importDatabase(target, { program: name, reader, report, seen, isLive: true })
    return name
  })
  check = 'none'
  say('Taken over. Following; stop it (Ctrl-C) when the old program takes no more requests.')
  let rounds = 0
  const round = async (isLast = false) => {
    const [news, found] = [createReport(), seen.round()]
    await work(({ reader }) => followRound(target, { reader, report: news, seen: found, number: rounds + 1, isLast }))
    found.keep()
    rounds += 1
    printNews(news, report, say)
  }
  while (!(await stopped(stop, everyMs))) {
    await round().catch((error: unknown) => {
      if (error instanceof ImportRefused) throw error
      const which = error instanceof SourceLost ? 'The old database' : 'The database of this server'
      say(`${which} did not answer (${error instanceof Error ? error.message : String(error)}); trying again.`)
    })
  }
  await round(true).catch(lost('The last round is missing: run the same command again.'))
  const differences = await work(({ reader }) => differencesOf(target, reader)).catch(
    lost('Balances were not compared: run the same command again.'),
  )
  return { program, rounds, differences }
}

async function opened<Result>(
  target: ImportTarget,
  asked: ImportRequest,
  report: Report,
  work: (opened: OpenImport) => Promise<Result>,
): Promise<Result> {
  const each = await openImport(target, asked, report)
  try {
    return await work(each)
  } finally {
    await each.close().catch(() => {})
  }
}

/** What a round brought, as one line; channels that are not as they were go into the report of the whole. */
function printNews(news: Report, report: Report, say: (line: string) => void): void {
  const { counts, channels, notes } = news.facts()
  const steady = /left out$/
  const changed = Object.entries(counts).filter(([what]) => !steady.test(what))
  for (const [what, count] of changed) report.count(`${what} since`, count)
  for (const each of channels) report.channel(each)
  for (const { reason, subjects } of notes) for (const subject of subjects) report.note(reason, subject)
  if (changed.length > 0) say(changed.map(([what, count]) => `${what}: ${count}`).join(', '))
}

const stopped = (signal: AbortSignal, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(true)
    const end = () => {
      clearTimeout(timer)
      resolve(signal.aborted)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve(false)
    }, ms)
    signal.addEventListener('abort', end, { once: true })
  })
