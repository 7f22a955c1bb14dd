import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { ApiError } from './api.ts'
import { createQueryClient, ownReport, reportFailure, reporting, whenExpired } from './failures.ts'
import { toast } from './toast.tsx'

const errors = spyOn(toast, 'error').mockImplementation(() => undefined)
const infos = spyOn(toast, 'info').mockImplementation(() => undefined)
afterEach(() => {
  errors.mockClear()
  infos.mockClear()
})

const said = () => [errors.mock.calls.map(([text]) => text), infos.mock.calls.map(([text]) => text)]

describe('a failed call is shown', () => {
  test.each([
    [new ApiError('the tokens are on holiday', 200), 'the tokens are on holiday'],
    [new ApiError('slow down', 429), 'too many requests, try again later'],
    [new ApiError('kaboom', 500), 'internal server error, contact the administrator'],
    [new ApiError('I am a teapot', 418), 'Error: I am a teapot'],
    [new TypeError('Failed to fetch'), 'Error: Failed to fetch'],
    ['a text', 'Error: a text'],
  ])('%p', (error, words) => {
    reportFailure(error)
    expect(said()).toEqual([[words], []])
  })

  test('as an information where only files are served: such hosts answer 405', () => {
    reportFailure(new ApiError('Request failed with status code 405', 405))
    expect(said()).toEqual([[], ['this site is a demo only, with no server']])
  })

  test('by going to the login when the session is gone', () => {
    let left = 0
    whenExpired(() => {
      left += 1
    })
    reportFailure(new ApiError('who are you', 401))
    expect(left).toBe(1)
    expect(said()).toEqual([[], []])
  })

  test('and thrown on', async () => {
    const error = new ApiError('no', 200)
    expect(await reporting(Promise.reject(error)).catch((caught: unknown) => caught)).toBe(error)
    expect(said()).toEqual([['no'], []])
  })
})

describe('queries and mutations', () => {
  const queryFn = () => Promise.reject(new ApiError('no', 200))

  test('report their failures themselves, without trying again', async () => {
    await createQueryClient()
      .fetchQuery({ queryKey: ['x'], queryFn })
      .catch(() => undefined)
    expect(said()).toEqual([['no'], []])
  })

  test('are silent where the caller reports', async () => {
    await createQueryClient()
      .fetchQuery({ queryKey: ['x'], queryFn, meta: ownReport })
      .catch(() => undefined)
    expect(said()).toEqual([[], []])
  })
})
