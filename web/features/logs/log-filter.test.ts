import { describe, expect, test } from 'bun:test'
import { endOf } from '#web/state/queries/log-queries.ts'
import { countSet, draftOf, filterOf, inAddress, noFilter, readDraft } from './log-filter.ts'

describe('filters of the log', () => {
  test('what stands in the address comes back from it', () => {
    const filter = { ...noFilter, type: 2, token_name: 'ci', channel: 41, start_timestamp: 1_700_000_000 }
    const params = new URLSearchParams(inAddress(filter).filter(([, value]) => value !== ''))
    expect(filterOf(params)).toEqual(filter)
    expect(countSet(filter)).toBe(4)
  })

  test('nonsense in the address counts as not given', () => {
    expect(filterOf(new URLSearchParams('type=9&channel=x&start_timestamp=-1'))).toEqual(noFilter)
  })

  test('the end is an hour from now until someone sets it', () => {
    const before = Math.floor(Date.now() / 1000)
    expect(endOf(noFilter)).toBeGreaterThanOrEqual(before + 3600)
    expect(endOf({ ...noFilter, end_timestamp: 5 })).toBe(5)
  })

  test('an end that was not touched stays open', () => {
    const drawn = draftOf(noFilter)
    expect(readDraft(drawn, drawn, noFilter).next).toEqual(noFilter)
    const set = readDraft({ ...drawn, end: '2026-11-14 10:00:00' }, drawn, noFilter)
    expect(set.next.end_timestamp).toBe(new Date(2026, 10, 14, 10).getTime() / 1000)
  })

  test('a channel that is no number is named, not read as another', () => {
    const drawn = draftOf(noFilter)
    for (const channel of ['2.5', '1e6', '-1', '１２', 'x'])
      expect(readDraft({ ...drawn, channel }, drawn, noFilter).wrong).toEqual(['channel'])
    expect(readDraft({ ...drawn, channel: ' 25 ' }, drawn, noFilter)).toMatchObject({
      wrong: [],
      next: { channel: 25 },
    })
  })

  test('times that are none are named', () => {
    const drawn = draftOf(noFilter)
    expect(readDraft({ ...drawn, start: 'soon', end: 'later' }, drawn, noFilter).wrong).toEqual(['start', 'end'])
    expect(readDraft({ ...drawn, start: '' }, drawn, noFilter).wrong).toEqual([])
  })
})
