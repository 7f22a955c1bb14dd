import { expect, test } from 'bun:test'
import type { ErrorCode } from '#shared/errors.ts'
import type { FaultCode } from '#shared/faults.ts'
import { english } from './languages.ts'
import { zh } from './zh.ts'

const names = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** An option is named by the console, whatever the refusal calls it. */
const filledHere = 'option'

test.each(Object.keys(english.errors) as ErrorCode[])(
  'the template of %s asks for what the refusal carries',
  (code) => {
    const known = [...names(english.errors[code]), filledHere]
    expect(names(zh.errors[code]).filter((name) => !known.includes(name))).toEqual([])
  },
)

test.each(Object.keys(english.faults) as FaultCode[])('the template of %s asks for what the fault carries', (code) => {
  const known = [...names(english.faults[code]), filledHere]
  expect(names(zh.faults[code]).filter((name) => !known.includes(name))).toEqual([])
})
