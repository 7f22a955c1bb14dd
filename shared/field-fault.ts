import type { z } from 'zod'
import type { Fault, FaultCode } from './faults.ts'

/** What the validator expected, as the one who sent something else would say it. */
const kinds: Readonly<Record<string, FaultCode>> = {
  string: 'field.text',
  number: 'field.number',
  int: 'field.whole',
  boolean: 'field.switch',
  array: 'field.list',
  object: 'field.object',
  record: 'field.object',
}

const tooSmall: Readonly<Record<string, FaultCode>> = { string: 'field.too_short', array: 'field.too_few' }
const tooBig: Readonly<Record<string, FaultCode>> = { string: 'field.too_long', array: 'field.too_many' }

/** What is wrong with a field whose schema has no words of its own for it. */
export function fieldFault(issue: z.core.$ZodIssue): Fault {
  const name = issue.path.join('.') || 'body'
  switch (issue.code) {
    case 'invalid_type':
      return { code: kinds[issue.expected] ?? 'field.not', params: { name } }
    case 'too_small':
      return { code: tooSmall[issue.origin] ?? 'field.least', params: { name, min: Number(issue.minimum) } }
    case 'too_big':
      return { code: tooBig[issue.origin] ?? 'field.most', params: { name, max: Number(issue.maximum) } }
    case 'invalid_value':
      return { code: 'field.choice', params: { name, choices: issue.values.map(spell).join(', ') } }
    case 'unrecognized_keys':
      return { code: 'field.unknown', params: { name, field: String(issue.keys[0]).slice(0, 60) } }
    default:
      return { code: 'field.not', params: { name } }
  }
}

const spell = (value: unknown): string => (value === '' ? "''" : String(value))
