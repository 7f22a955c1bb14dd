import { describe, expect, test } from 'bun:test'
import { en } from '#web/locales/en.ts'
import { zh } from '#web/locales/zh.ts'
import { translator } from './translate.ts'

const english = translator(en, en, 'en')
const chinese = translator(zh.words, en, 'zh-CN')

describe('words of the screens', () => {
  test('are found by their path and filled in', () => {
    expect(english('shell.loading', { page: 'channels' })).toBe('loading channels...')
    expect(chinese('common.cancel')).toBe('取消')
  })

  test('follow the count', () => {
    expect(english('settings.clear.done', { count: 1 })).toBe('1 log row cleared')
    expect(english('settings.clear.done', { count: 0 })).toBe('0 log rows cleared')
    expect(chinese('settings.clear.done', { count: 1 })).toContain('1')
    expect(chinese('playground.forAll', { count: 1 })).toBe('对此模型')
    expect(chinese('playground.forAll', { count: 2 })).toBe('对全部 2 个模型')
  })

  test('come as a table where one is asked for', () => {
    expect(english('states.token', { returnObjects: true })).toBe(en.states.token)
  })

  test('what a language lacks is said in English', () => {
    const lacking = translator({ ...zh.words, common: {} as typeof zh.words.common }, en, 'zh-CN')
    expect(lacking('common.cancel')).toBe('Cancel')
  })

  test('what is filled in is not read as a template again', () => {
    expect(english('failures.other', { message: '{{message}} $& {x}' })).toBe('Error: {{message}} $& {x}')
  })
})
