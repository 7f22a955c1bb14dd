import type { LeftOut } from './form.ts'

export type ChannelOutcome = 'left out' | 'disabled' | 'changed'

/** What became of a channel that is not simply there. */
export interface ChannelNews {
  readonly id: number
  readonly name: string
  readonly outcome: ChannelOutcome
  readonly reason: string
}

/** What an import did, and what it could not take as it was. Never holds a secret: things are named by kind, id and name. */
export interface Report {
  count(what: string, by?: number): void
  note(reason: string, subject: string): void
  channel(news: ChannelNews): void
  leaveOut(left: LeftOut): void
  lines(): string[]
  facts(): ReportFacts
}

export interface ReportFacts {
  readonly counts: Readonly<Record<string, number>>
  readonly channels: readonly ChannelNews[]
  readonly left_out: readonly LeftOut[]
  /** `more`: how many are not named among the subjects, because there are too many. */
  readonly notes: readonly { readonly reason: string; readonly subjects: readonly string[]; readonly more: number }[]
}

const subjectsShown = 20
/** Beyond this many only the number is kept, so that the report of an import of millions stays small. */
const subjectsKept = 10_000
const outcomes: readonly ChannelOutcome[] = ['left out', 'disabled', 'changed']

interface Note {
  readonly subjects: Set<string>
  more: number
}

/** One line, whatever the name holds. */
const shown = (name: string): string => name.replace(/\s+/g, ' ').trim().slice(0, 100)

export function createReport(): Report {
  const counts = new Map<string, number>()
  const notes = new Map<string, Note>()
  const channels: ChannelNews[] = []
  const leftOut: LeftOut[] = []
  return {
    count(what, by = 1) {
      if (by > 0) counts.set(what, (counts.get(what) ?? 0) + by)
    },
    note(reason, subject) {
      const note = notes.get(reason) ?? { subjects: new Set<string>(), more: 0 }
      notes.set(reason, note)
      if (note.subjects.has(subject)) return
      if (note.subjects.size < subjectsKept) note.subjects.add(subject)
      else note.more += 1
    },
    channel: (news) => void channels.push({ ...news, name: shown(news.name) }),
    leaveOut(left) {
      if (left.count > 0) leftOut.push(left)
    },
    lines() {
      const counted = [...counts].map(([what, number]) => `  ${what}: ${number}`)
      const routed = outcomes.flatMap((outcome) => section(`Channels ${outcome}:`, channelLines(channels, outcome)))
      const left = leftOut.map(({ what, count, advice }) => `  ${what}: ${count}. ${advice}`)
      const noted = [...notes].map(([reason, { subjects, more }]) => {
        const unseen = Math.max(0, subjects.size - subjectsShown) + more
        const shown = [...subjects].slice(0, subjectsShown).join(', ')
        return `  ${reason}: ${shown}${unseen > 0 ? ` and ${unseen} more` : ''}`
      })
      return [...counted, ...routed, ...section('Left out:', left), ...section('Worth knowing:', noted)]
    },
    facts: () => ({
      counts: Object.fromEntries(counts),
      channels,
      left_out: leftOut,
      notes: [...notes].map(([reason, { subjects, more }]) => ({ reason, subjects: [...subjects], more })),
    }),
  }
}

const section = (title: string, lines: readonly string[]): string[] => (lines.length > 0 ? [title, ...lines] : [])

/** Every channel is named, however many there are. */
const channelLines = (channels: readonly ChannelNews[], outcome: ChannelOutcome): string[] =>
  channels
    .filter((news) => news.outcome === outcome)
    .map(({ id, name, reason }) => `  channel ${id} (${name}): ${reason}`)
