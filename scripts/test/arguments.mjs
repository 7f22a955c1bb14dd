import { flags } from './selection.mjs'

const patternFlags = ['-t', '--test-name-pattern', '-g', '--grep']

/** Reads `npm test -- …`: flags that name suites, filters of paths, and a pattern of names. */
export function readArguments(args) {
  const asked = new Set()
  const filters = []
  let pattern
  for (let at = 0; at < args.length; at += 1) {
    const [name, value] = args[at].split(/=(.*)/s)
    if (patternFlags.includes(name)) {
      pattern = value ?? args[at + 1]
      if (value === undefined) at += 1
    } else if (name.startsWith('--') && flags.includes(name.slice(2))) asked.add(name.slice(2))
    else if (name.startsWith('-'))
      return {
        problem: `There is no ${name}. There are -t <name>, paths, and ${flags.map((flag) => `--${flag}`).join(', ')}.`,
      }
    else filters.push(args[at])
  }
  return { asked, filters, pattern }
}
