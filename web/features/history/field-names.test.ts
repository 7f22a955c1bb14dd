import { expect, test } from 'bun:test'
import { channelsApi } from '#shared/api/channels.ts'
import { redemptionsApi } from '#shared/api/redemptions.ts'
import { teamsApi } from '#shared/api/teams.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { usersApi } from '#shared/api/users.ts'
import { history } from '#web/locales/en/history.ts'

/** Fields of a call that are no part of the thing. */
const ofTheCall = ['id', 'status_only', 'quota_before']

test.each([
  ['channel', channelsApi.update.input.shape],
  ['token', tokensApi.update.input.shape],
  ['user', usersApi.update.input.shape],
  ['redemption code', redemptionsApi.update.input.shape],
  ['team', teamsApi.update.input.shape],
])('every field of a %s that people can change has a name in the history', (_, shape) => {
  const fields = Object.keys(shape).filter((field) => !ofTheCall.includes(field))
  expect(fields).not.toBeEmpty()
  expect(fields.filter((field) => !Object.hasOwn(history.fieldNames, field))).toEqual([])
})
