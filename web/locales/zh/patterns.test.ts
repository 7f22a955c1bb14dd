import { expect, test } from 'bun:test'
import { type ErrorCode, errorMessage, errors } from '#shared/errors.ts'
import { type OptionKey, options } from '#shared/options.ts'
import { patterns } from './patterns.ts'
import { texts } from './texts.ts'

const isKnown = (message: string): boolean =>
  texts[message] !== undefined || patterns.some(([english]) => english.test(message))

const codes = Object.keys(errors) as ErrorCode[]

/** Refusals that say more than their detail. */
const filled = codes.filter((code) => errors[code][1].includes('{') && errors[code][1] !== '{detail}')

test.each(filled)('%s is told in Chinese', (code) => {
  const params = {
    key: 'Theme',
    needed: 'SMTPServer and SMTPFrom',
    limit: 1000,
    detail: 'no',
    method: 'GET',
    path: '/x',
  }
  expect(isKnown(errorMessage(code, params))).toBe(true)
})

const wrongTexts = ['x', 'x'.repeat(100_001), '-1', '0.5', '99999999999999999999', '{', '{"a":-1}']

test.each(Object.keys(options) as OptionKey[])('what is wrong with %s is told in Chinese', (key) => {
  const told = wrongTexts.flatMap((text) => options[key].schema.safeParse(text).error?.issues[0]?.message ?? [])
  expect(told.filter((message) => !isKnown(message))).toEqual([])
})
