import { stripVTControlCharacters } from 'node:util'

/** A test that fails now and then is named; two of them are a fault. */
const lateMax = 1

/** A name as a pattern that fits it and needs no quoting: whatever a shell or a pattern reads differently may be anything. */
const patternOf = (name) => `^${name.replace(/[^\w ]+/g, (text) => (/^[,:;=/-]$/.test(text) ? text : '\\W+'))}$`

/** The one command that runs a test alone. */
export function commandFor({ file, line, name }, flags) {
  if (line !== undefined) return `npm test -- ${flags}${file}:${line}`
  return `npm test -- ${flags}${file}${name === undefined ? '' : ` -t '${patternOf(name)}'`}`
}

const describeFailure = ({ failure, ...test }, flags) => {
  const lines = stripVTControlCharacters(failure).trim().split('\n').slice(0, 15)
  const title = [test.file, test.name?.replace(/\s+/g, ' ') ?? 'outside its tests'].filter(Boolean).join(': ')
  const command = test.file === '' ? [] : [commandFor(test, flags)]
  return [title, ...lines.map((text) => `  ${text}`), ...command.map((text) => `  alone: ${text}`)].join('\n    ')
}

const list = (title, lines) => (lines.length === 0 ? [] : [`${title}\n  ${lines.join('\n  ')}`])

const slowest = (results) =>
  results
    .flatMap(({ title, seconds }) => Object.entries(seconds).map(([file, taken]) => ({ file, taken, title })))
    .sort((a, b) => b.taken - a.taken)
    .slice(0, 10)
    .map(({ file, taken, title }) => `${taken.toFixed(1).padStart(6)} s  ${file} (${title})`)

/** What a person reads when all is done, and the numbers of the closing line. */
export function summarise(results) {
  const failures = results.flatMap(({ failures: those, flags }) => those.map((one) => describeFailure(one, flags)))
  const late = results.flatMap(({ late: those, flags }) =>
    those.map((test) => `${test.file}: ${test.name}\n    alone: ${commandFor({ file: test.file }, flags)}`),
  )
  const tooLate = late.length > lateMax
  const text = [
    ...list('Slowest files:', slowest(results)),
    ...list(`Failed (${failures.length}):`, failures),
    ...list(`Passed only on the second try, counted as neither (${late.length}):`, late),
    ...(tooLate ? [`More than ${lateMax} needed a second try: the run has failed.`] : []),
    ...results.flatMap(({ leftOut, title }) => (leftOut ? [`Left out: ${title}; ${leftOut}`] : [])),
  ]
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  return { text: text.join('\n\n'), passed, failed: failures.length + (tooLate ? 1 : 0) }
}
