import { expect, test } from 'bun:test'
import { specialGroups } from './special-groups.ts'

const saved = new Map([['GroupGroupRatio', '{"svip":{"vip":0.9,"edit_this":0.5,"a b":1},"vip":{"vip":0.4}}']])

test('a group that users of another pay differently is a group of its own, on the same channels', () => {
  const { made, nameFor, withSpecial } = specialGroups(saved)
  expect([...made]).toEqual([
    ['vip@svip', { group: 'vip', ratio: 0.9 }],
    ['vip@vip', { group: 'vip', ratio: 0.4 }],
  ])
  expect([nameFor('svip', 'vip'), nameFor('vip', 'vip'), nameFor('default', 'vip')]).toEqual([
    'vip@svip',
    'vip@vip',
    'vip',
  ])
  expect(withSpecial(['default', 'vip'])).toEqual(['default', 'vip', 'vip@svip', 'vip@vip'])
  expect(withSpecial(['default'])).toEqual(['default'])
})

test('without such ratios groups stay as they are', () => {
  const { made, nameFor } = specialGroups(new Map())
  expect(made.size).toBe(0)
  expect(nameFor('svip', 'vip')).toBe('vip')
})
