import { existsSync, readFileSync } from 'node:fs'

const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#10': '\n' }
const decode = (text) => text.replace(/&(lt|gt|quot|apos|amp|#10);/g, (_, name) => entities[name])

const attribute = (text, name) => decode(new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '')

const element = /<testsuite ([^>]*)>|<\/(testsuite)>|<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g

function readCase(head, body, groups) {
  const [, failure, text] = /<failure ([^>]*?)(?:\/>|>([\s\S]*?)<\/failure>)/.exec(body) ?? []
  return {
    file: attribute(head, 'file'),
    /** With the names of all groups it is in; none for what is done before or after the tests of a file. */
    name: attribute(head, 'name') === '(unnamed)' ? undefined : [...groups, attribute(head, 'name')].join(' '),
    skipped: body.includes('<skipped'),
    failure: failure === undefined ? undefined : decode(text ?? '').trim() || attribute(failure, 'message'),
  }
}

/** What the runner says of each test and how many seconds each file took, from its report in JUnit's form. */
export function readReport(path) {
  const tests = []
  const seconds = {}
  const open = []
  for (const [, suite, closed, head, body = ''] of existsSync(path)
    ? readFileSync(path, 'utf8').matchAll(element)
    : []) {
    if (closed) open.pop()
    else if (head) tests.push(readCase(head, body, open.slice(1)))
    else {
      if (open.length === 0) seconds[attribute(suite, 'file')] = Number(attribute(suite, 'time'))
      open.push(attribute(suite, 'name'))
    }
  }
  return { tests, seconds }
}
