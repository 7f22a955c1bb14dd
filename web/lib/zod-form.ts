import type { z } from 'zod'
import { issueText } from './messages.ts'

type Errors = Record<string, string>

/** Validation of a Mantine form by a schema of the contract: the first issue of each field, in the reader's words. */
export const validateWith =
  <Values>(schema: z.ZodType) =>
  (values: Values): Errors => {
    const errors: Errors = {}
    for (const issue of schema.safeParse(values).error?.issues ?? []) {
      const field = issue.path.join('.')
      errors[field] ??= issueText(issue)
    }
    return errors
  }
