import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { forget, markPromptShown, promptShown, readStored, store } from './storage.ts'

const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')

function useStorage(storage: Partial<Storage>): void {
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
}

let held: Map<string, string>
beforeEach(() => {
  held = new Map()
  useStorage({
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
  })
})
afterEach(() => {
  if (before) Object.defineProperty(globalThis, 'localStorage', before)
  else Reflect.deleteProperty(globalThis, 'localStorage')
})

const user = { id: 1, username: 'maren', display_name: '', role: 1, status: 1 }

describe('what the browser keeps', () => {
  test('comes back as it went', () => {
    store('user', user)
    store('quota_per_unit', 500_000)
    store('display_in_currency', false)
    expect(readStored('user')).toEqual(user)
    expect(readStored('quota_per_unit')).toBe(500_000)
    expect(readStored('display_in_currency')).toBe(false)
    expect(held.get('quota_per_unit')).toBe('500000')
  })

  test('is nothing before and after', () => {
    expect(readStored('user')).toBeUndefined()
    store('user', user)
    forget('user')
    expect(readStored('user')).toBeUndefined()
  })

  test.each(['', '{', 'null', '[]', '{"id":"1"}', '{"id":1}'])('%p is no user', (text) => {
    held.set('user', text)
    expect(readStored('user')).toBeUndefined()
  })

  test('a prompt is shown once', () => {
    expect(promptShown('keys')).toBe(false)
    markPromptShown('keys')
    expect(promptShown('keys')).toBe(true)
    expect(promptShown('other')).toBe(false)
  })

  test('a browser that forbids storage loses nothing but the memory', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    useStorage({ getItem: refuse, setItem: refuse, removeItem: refuse })
    store('language', 'zh')
    forget('language')
    markPromptShown('keys')
    expect(readStored('language')).toBeUndefined()
    expect(promptShown('keys')).toBe(false)
  })
})
