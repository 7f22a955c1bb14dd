/** What an import did, and what it could not take as it was. Never holds a secret: things are named by kind and id. */
export interface Report {
  count(what: string, by?: number): void
  note(reason: string, subject: string): void
  lines(): string[]
}

const subjectsShown = 20

export function createReport(): Report {
  const counts = new Map<string, number>()
  const notes = new Map<string, string[]>()
  return {
    count(what, by = 1) {
      if (by > 0) counts.set(what, (counts.get(what) ?? 0) + by)
    },
    note(reason, subject) {
      const subjects = notes.get(reason) ?? []
      subjects.push(subject)
      notes.set(reason, subjects)
    },
    lines() {
      const counted = [...counts].map(([what, number]) => `  ${what}: ${number}`)
      const noted = [...notes].map(([reason, subjects]) => {
        const more = subjects.length > subjectsShown ? ` and ${subjects.length - subjectsShown} more` : ''
        return `  ${reason}: ${subjects.slice(0, subjectsShown).join(', ')}${more}`
      })
      return [...counted, ...(noted.length > 0 ? ['Worth knowing:', ...noted] : [])]
    },
  }
}
