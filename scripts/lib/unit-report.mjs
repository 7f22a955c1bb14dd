import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#10': '\n' }
const decode = (text) => text.replace(/&(lt|gt|quot|apos|amp|#10);/g, (_, name) => entities[name])

const attribute = (text, name) => decode(new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '')

/** What the runner says of each test, from its report in JUnit's form. */
export function readReport(path) {
  const report = readFileSync(path, 'utf8')
  return [...report.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, head, body = '']) => {
    const [, failure, text] = /<failure ([^>]*?)(?:\/>|>([\s\S]*?)<\/failure>)/.exec(body) ?? []
    return {
      file: attribute(head, 'file'),
      name: attribute(head, 'name'),
      skipped: body.includes('<skipped'),
      failure: failure === undefined ? undefined : decode(text ?? '').trim() || attribute(failure, 'message'),
    }
  })
}

/** The runner gives no name to what is done before or after the tests of a file. */
const isHook = ({ name }) => name === '(unnamed)'

/** As a list shows it: where, which, and the beginning of what went wrong. */
export const describeFailure = ({ file, failure, ...test }) => {
  const lines = stripVTControlCharacters(failure).split('\n').slice(0, 15)
  return [`${file}: ${isHook(test) ? 'before or after its tests' : test.name}`, ...lines].join('\n    ')
}
