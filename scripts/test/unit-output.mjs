const header = /^(\S+\.test\.tsx?):\n?$/
const passed = /^\(pass\) /
const skipped = /^\(skip\) /
/** From here on it lists again what it has said. */
const recap = /^\d+ tests? (failed|skipped|todo):/
const retried = /^\(pass\) (.*) \(attempt \d+\)/

/**
 * Follows what the runner prints: how many files and tests are done, what failed with all that stands before it, and what its
 * report does not tell: tests that passed on a second try, and files that broke outside their tests.
 */
export function createOutputReader({ print, count }) {
  const files = new Set()
  const late = []
  const broken = new Map()
  let file = ''
  let tests = 0
  let rest = ''
  let kept = []
  let isOver = false
  const flush = () => {
    if (kept.length > 0) print(`\n${file}\n${kept.join('')}`)
    kept = []
  }
  const take = (line) => {
    const [, next] = header.exec(line) ?? []
    const [, retriedName] = retried.exec(line) ?? []
    isOver ||= recap.test(line)
    if (isOver) kept.push(line)
    else if (next) {
      kept = []
      file = next
      files.add(next)
    } else if (line.startsWith('(fail) ') || retriedName) {
      kept.push(line)
      flush()
      tests += 1
      if (retriedName) late.push({ file, name: retriedName })
    } else if (passed.test(line) || skipped.test(line)) {
      kept = []
      tests += passed.test(line) ? 1 : 0
    } else {
      kept.push(line)
      if (line.startsWith('# Unhandled error')) broken.set(file, kept)
    }
    count(files.size, tests)
  }
  return {
    read(text) {
      const lines = (rest + text).split(/(?<=\n)/)
      rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '')
      for (const line of lines) take(line)
    },
    /** With the last words, which say why where the runner itself broke. */
    end() {
      if (rest !== '') take(rest)
      return {
        late,
        broken: [...broken].map(([path, lines]) => ({ file: path, name: undefined, failure: lines.join('') })),
        lastWords: kept.slice(-30).join(''),
      }
    },
  }
}
