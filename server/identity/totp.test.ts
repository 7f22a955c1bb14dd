import { expect, test } from 'bun:test'
import { base32, hotp, matchingStep, newTotpSecret, stepAt, totpUri } from './totp.ts'

const secret = base32(Buffer.from('12345678901234567890'))

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at %p is the one of RFC 6238', (seconds, code) => {
  expect(hotp(secret, stepAt(seconds), 8)).toBe(code)
  expect(matchingStep(secret, code.slice(2), seconds)).toBe(stepAt(seconds))
})

test('the step before is accepted, an older or a coming one is not', () => {
  const at = 1_234_567_890
  const now = stepAt(at)
  expect(matchingStep(secret, hotp(secret, now - 1), at)).toBe(now - 1)
  expect(matchingStep(secret, hotp(secret, now - 2), at)).toBeNull()
  expect(matchingStep(secret, hotp(secret, now + 1), at)).toBeNull()
  for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
    expect(matchingStep(secret, code, at)).toBeNull()
})

test('secrets are 160 bits and written as authenticator apps read them', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(totpUri(secret, 'My Yard', 'me@x.org')).toBe(
    `otpauth://totp/My%20Yard:me%40x.org?secret=${secret}&issuer=My%20Yard&algorithm=SHA1&digits=6&period=30`,
  )
})
