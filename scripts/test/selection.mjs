/** What each suite takes of the tests. */
const takes = {
  sqlite: ({ lane }) => lane === 'unit' || lane === 'db',
  postgres: ({ lane }) => lane === 'db',
  proc: ({ lane }) => lane === 'proc',
  'proc-postgres': ({ lane, path }) => lane === 'proc' && /^(server|bench)\//.test(path),
  mysql: ({ lane, path }) => (lane === 'db' || lane === 'proc') && path.startsWith('server/import/'),
  smoke: ({ lane }) => lane === 'e2e',
  'e2e-rest': ({ lane }) => lane === 'e2e',
  e2e: ({ lane }) => lane === 'e2e',
}

/** Suites of a flag, the first that a filter fits before the others; `proc` stands for both engines. */
const flagged = {
  sqlite: [['sqlite'], ['proc']],
  postgres: [['postgres'], ['proc-postgres']],
  proc: [['proc', 'proc-postgres']],
  mysql: [['mysql']],
  smoke: [['smoke']],
  e2e: [['e2e']],
}

const everything = ['sqlite', 'postgres', 'proc', 'proc-postgres', 'mysql', 'e2e']
const fast = ['sqlite', 'smoke']
/** What `npm test` leaves to continuous integration. */
const rest = ['postgres', 'proc', 'proc-postgres', 'mysql', 'e2e-rest']

export const flags = [...Object.keys(flagged), 'all', 'rest']

/** The suites that a filter may mean, in the order in which they are tried. */
function choicesOf(asked) {
  if (asked.has('all')) return [everything]
  if (asked.has('rest')) return [rest]
  if (asked.has('proc') && asked.has('sqlite')) return [['proc']]
  if (asked.has('proc') && asked.has('postgres')) return [['proc-postgres']]
  if (asked.size === 0) return [['sqlite'], ['proc'], ['e2e']]
  const named = [...asked].map((flag) => flagged[flag])
  const second = named.flatMap(([, other = []]) => other)
  return [named.flatMap(([first]) => first), ...(second.length > 0 ? [second] : [])]
}

const fits = (filter) => {
  const part = filter.replace(/^\.\//, '').replace(/:\d+$/, '')
  return ({ path }) => path.includes(part)
}

const pathsOf = (suite, tests) => tests.filter(takes[suite]).map(({ path }) => path)

/** Which suites run, each with its files. A filter that fits nothing is answered with a sentence in `problem`. */
export function selectSuites({ asked, filters }, tests) {
  const choices = choicesOf(asked)
  if (filters.length === 0) {
    const names = asked.size === 0 ? fast : choices[0]
    return { suites: names.map((name) => ({ name, files: pathsOf(name, tests) })) }
  }
  const files = new Map()
  for (const filter of filters) {
    const fitting = tests.filter(fits(filter))
    const suites = choices.find((names) => names.some((name) => pathsOf(name, fitting).length > 0))
    if (!suites)
      return { problem: `No test fits ${filter}${asked.size > 0 ? ` and --${[...asked].join(' --')}` : ''}.` }
    for (const name of suites) files.set(name, new Set([...(files.get(name) ?? []), ...pathsOf(name, fitting)]))
  }
  return {
    suites: [...files].map(([name, paths]) => ({ name, files: [...paths] })).filter((one) => one.files.length > 0),
  }
}
