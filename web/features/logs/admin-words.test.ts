import { expect, test } from 'bun:test'
import { translator } from '#web/lib/translate.ts'
import { en } from '#web/locales/en.ts'
import { zh } from '#web/locales/zh.ts'
import { adminText } from './admin-words.ts'

const english = translator(en, en, 'en')
const chinese = translator(zh.words, en, 'zh-CN')

test('what administrators did is shown in the language of the reader, with actor and target', () => {
  const content = 'administrator root (#1) changed the user\'s group from "default" to "vip"'
  expect(adminText(english, content, 'anna')).toBe('root (#1) changed the group of anna from "default" to "vip"')
  expect(adminText(chinese, content, 'anna')).toBe('root (#1) 将 anna 的分组从 "default" 改为 "vip"')
  expect(adminText(chinese, 'created channel 4 "eu" (OpenAI)', 'root')).toBe('创建了渠道 4 "eu"（OpenAI）')
  expect(adminText(chinese, 'deleted redemption code 3 "gift" of 5 quota', 'root')).toBe(
    '删除了兑换码 3 "gift"（额度 5）',
  )
})

test('a text of another kind stays as it is', () => {
  expect(adminText(chinese, 'something else', 'anna')).toBe('something else')
})
