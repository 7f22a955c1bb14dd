import { expect, test } from 'bun:test'
import { groupColor, responseColor } from './meaning.ts'

test('the response time badge changes colour after 1, 3 and 5 seconds [spec 4 response time badge] [spec 9 response thresholds]', () => {
  const shown = [0, 1, 1000, 1001, 3000, 3001, 5000, 5001].map(responseColor)
  expect(shown).toEqual(['gray', 'green', 'green', 'olive', 'olive', 'yellow', 'yellow', 'red'])
})

test('groups for sale have colours of their own [spec 9 group colours]', () => {
  expect(['vip', 'pro', 'svip', 'premium', 'default', 'team'].map(groupColor)).toEqual([
    'yellow',
    'yellow',
    'red',
    'red',
    'gray',
    'gray',
  ])
})
