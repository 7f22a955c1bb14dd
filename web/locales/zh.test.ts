import { expect, test } from 'bun:test'
import { type ErrorCode, errors } from '#shared/errors.ts'
import { type FaultCode, faults } from '#shared/faults.ts'
import { type LogEventCode, logEvents } from '#shared/log-events.ts'
import { zh } from './zh.ts'

const names = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** An option is named by the console, whatever the refusal calls it. */
const filledHere = 'option'

test.each(Object.keys(errors) as ErrorCode[])('the template of %s asks for what the refusal carries', (code) => {
  const known = [...names(errors[code][1]), filledHere]
  expect(names(zh.errors[code] ?? 'missing {words}').filter((name) => !known.includes(name))).toEqual([])
})

test.each(Object.keys(faults) as FaultCode[])('the template of %s asks for what the fault carries', (code) => {
  const known = [...names(faults[code]), filledHere]
  expect(names(zh.faults[code] ?? 'missing {words}').filter((name) => !known.includes(name))).toEqual([])
})

test.each(Object.keys(logEvents) as LogEventCode[])('the template of %s asks for what the event carries', (code) => {
  const known = names(logEvents[code])
  expect(names(zh.logEvents[code] ?? 'missing {words}').filter((name) => !known.includes(name))).toEqual([])
})
