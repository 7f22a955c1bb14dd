import { z } from 'zod'
import { BadRequest } from './dialect.ts'

const words: Record<string, string> = {
  array: 'a list',
  object: 'an object',
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

function explain(issue: z.core.$ZodIssue, body: unknown): string {
  const name = issue.path.length === 0 ? 'The request body' : pathText(issue.path)
  const expected = issue.code === 'invalid_type' ? words[issue.expected] : undefined
  if (issue.code === 'invalid_union') {
    return isMissing(body, issue.path) ? `${name} is required` : `${name} has a form that is not known`
  }
  if (!expected) return `${name} is not valid: ${issue.message}`
  return isMissing(body, issue.path) ? `${name} is required and must be ${expected}` : `${name} must be ${expected}`
}

/** Reads a client's body, or says in one sentence what is wrong with it. */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (!issue) throw new BadRequest('The request body cannot be read')
  throw new BadRequest(explain(issue, body), issue.path.length === 0 ? undefined : pathText(issue.path))
}

/** A field that may be missing or null. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined)
}

/** An object of which only some fields matter here. */
export const anyObject = z.record(z.string(), z.unknown())
