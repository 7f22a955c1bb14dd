import { expect, test } from 'bun:test'
import { fieldNames } from '#shared/field-names.ts'
import { eventText, logEvents, type StoredEvent } from '#shared/log-events.ts'
import { zh } from '#web/locales/zh.ts'

const actor = { user: 1, name: 'root' }

test.each<[StoredEvent, string, string]>([
  [
    { code: 'user.group', values: { actor, from: 'a" to "b', to: '$1 {actor}' } },
    'administrator root (#1) changed the user\'s group from "a" to "b" to "$1 {actor}"',
    '管理员 root (#1) 将用户的分组从“a" to "b”改为“$1 {actor}”',
  ],
  [
    { code: 'money.code', values: { money: [{ code: 'part.points', values: { points: 5 } }] } },
    'topped up 5 points of quota with a redemption code',
    '使用兑换码充值 5 点额度',
  ],
  [
    { code: 'user.deleted', values: { actor: { user: 1 }, user: { user: 7 } } },
    'administrator #1 deleted user #7',
    '管理员 #1 删除了用户 #7',
  ],
])('%j is said in both languages', (event, english, chinese) => {
  expect(eventText(logEvents, event, fieldNames)).toBe(english)
  expect(eventText(zh.logEvents, event, zh.fieldNames)).toBe(chinese)
})

test.each<StoredEvent>([
  { code: 'moon.landed', values: {} },
  { code: 'constructor', values: {} },
  { code: 'money.code', values: { money: [{ code: 'part.moons', values: {} }] } },
])('%j has no words in any language', (event) => {
  expect(eventText(zh.logEvents, event, zh.fieldNames)).toBeUndefined()
})
