import { parseArgs } from 'node:util'
import { UsageError } from './command.ts'

type Flags = NonNullable<Parameters<typeof parseArgs>[0]>['options']

/** Reads exactly one positional argument and the flags that are known. */
export function readArguments(args: readonly string[], what: string, options: Flags = {}) {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    const [first, ...more] = positionals
    if (first === undefined || first === '') throw new UsageError(`The ${what} is missing.`)
    if (more.length > 0) throw new UsageError(`There is more than the ${what}: ${more.join(' ')}`)
    return { first, values }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(error instanceof Error ? error.message : String(error))
  }
}
