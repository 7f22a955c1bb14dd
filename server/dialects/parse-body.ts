import { z } from 'zod'
import { BadRequest } from './dialect.ts'

const words: Record<string, string> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? String(key) : `${text}.${String(key)}`
  }, '')
}

function isMissing(body: unknown, path: readonly PropertyKey[]): boolean {
  const value = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    body,
  )
  return value === undefined || value === null
}

type Issue = z.core.$ZodIssue

/** Of several forms a field may have, the one its value comes nearest to says what is wrong: the one that was read the furthest. */
function nearest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const [furthest] = issue.errors.flatMap(([first]) => first ?? []).toSorted((a, b) => b.path.length - a.path.length)
  if (!furthest || furthest.path.length === 0) return issue
  return nearest({ ...furthest, path: [...issue.path, ...furthest.path] })
}

/** In words, where all of its forms are known; undefined otherwise. */
function expectedIn(issue: Issue): string | undefined {
  if (issue.code === 'invalid_type') return words[issue.expected]
  if (issue.code !== 'invalid_union') return undefined
  const forms = issue.errors.map(([first]) => first && expectedIn(first))
  return forms.length > 0 && !forms.includes(undefined) ? forms.join(' or ') : undefined
}

function explain(issue: Issue, body: unknown): string {
  const name = issue.path.length === 0 ? 'The request body' : pathText(issue.path)
  const expected = expectedIn(issue)
  const must = expected ? `must be ${expected}` : undefined
  if (isMissing(body, issue.path)) return must ? `${name} is required and ${must}` : `${name} is required`
  if (must) return `${name} ${must}`
  return issue.code === 'invalid_union'
    ? `${name} has a form that is not known`
    : `${name} is not valid: ${issue.message}`
}

/** Reads a client's body, or says in one sentence what is wrong with it. */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const [first] = result.error.issues
  if (!first) throw new BadRequest('The request body cannot be read')
  const issue = nearest(first)
  throw new BadRequest(explain(issue, body), issue.path.length === 0 ? undefined : pathText(issue.path))
}

/** A field that may be missing or null. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined)
}

/** An object of which only some fields matter here. */
export const anyObject = z.record(z.string(), z.unknown())
