import { expect, test } from 'bun:test'
import { translator } from '#web/lib/translate.ts'
import { en } from '#web/locales/en.ts'
import { zh } from '#web/locales/zh.ts'
import { eventText } from './event-words.ts'

const english = translator(en, en, 'en')
const chinese = translator(zh.words, en, 'zh-CN')

test('what administrators did is shown in the language of the reader, with actor and target', () => {
  const content = 'administrator root (#1) changed the user\'s group from "default" to "vip"'
  expect(eventText(english, content, 'anna')).toBe('root (#1) changed the group of anna from "default" to "vip"')
  expect(eventText(chinese, content, 'anna')).toBe('root (#1) 将 anna 的分组从 "default" 改为 "vip"')
  expect(eventText(chinese, 'created channel 4 "eu" (OpenAI)', 'root')).toBe('创建了渠道 4 "eu"（OpenAI）')
  expect(eventText(chinese, 'deleted redemption code 3 "gift" of 5 quota', 'root')).toBe(
    '删除了兑换码 3 "gift"（额度 5）',
  )
})

test.each([
  ['disabled channel 16 "a (b)" (Custom channel)', '禁用了渠道 16 "a (b)"（Custom channel）'],
  ['changed the option Notice from "" to "a" to "b"', '将设置 Notice 从 "" 改为 "a" to "b"'],
  ['cleared the option SMTPToken', '清除了设置 SMTPToken'],
  ['undid entry 67 of the history (channel azure-eu)', '撤销了历史记录 67（azure-eu）'],
  ['topped up $1.56 with a redemption code', '使用兑换码充值 $1.56'],
  ['topped up $1.56 with a redemption code for team #2', '使用兑换码为团队 #2 充值 $1.56'],
  ['gift for a new registration: $10.000000', '新用户注册赠送 $10.000000'],
  ['Channel eu (#3) has been disabled automatically: no key', '渠道 eu (#3) 已被自动禁用：no key'],
])('%j is read in Chinese', (content, words) => {
  expect(eventText(chinese, content, 'anna')).toBe(words)
  expect(eventText(english, content, 'anna')).toBe(content)
})

test('a text of another kind stays as it is', () => {
  expect(eventText(chinese, 'something else', 'anna')).toBe('something else')
})
