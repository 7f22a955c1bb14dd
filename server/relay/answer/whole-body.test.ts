import { describe, expect, test } from 'bun:test'
import { withModelName } from './whole-body.ts'

const long = 'Weichen 站 '.repeat(2000)

/** What is sent of a vendor's answer to a client who asked for `ours`. */
function sent(answer: string, vendors: string | undefined, provider: { reportsCost?: true } = {}): string {
  const bytes = Buffer.from(answer)
  const { body, pieces } = withModelName(provider, { text: answer, bytes }, vendors, 'ours')
  return pieces ? Buffer.concat(pieces).toString() : body
}

describe.each([
  ['short', 'brief'],
  ['long', long],
])('a %s answer', (_, words) => {
  const answer = (name: string, content = words) => `{"id":"1", "model":${name} ,"content":${JSON.stringify(content)}}`

  test('has the name the client asked for, and no other byte is changed', () => {
    expect(sent(answer('"theirs"'), 'theirs')).toBe(answer('"ours"'))
  })

  test('stays as it is when the names are the same, or when there is none', () => {
    expect(sent(answer('"ours"'), 'ours')).toBe(answer('"ours"'))
    expect(sent(answer('null'), undefined)).toBe(answer('null'))
  })

  test('keeps the name where it stands in what the model says', () => {
    const said = `${words} "theirs" and "model":"theirs"`
    expect(sent(answer('"theirs"', said), 'theirs')).toBe(answer('"ours"', said))
  })

  test('has it in every field of its own that names the model, however it is written', () => {
    const twice = (name: string) => `{"response":{"model" : ${name}},"model":${name},"text":${JSON.stringify(words)}}`
    expect(sent(twice('"theirs"'), 'theirs')).toBe(twice('"ours"'))
  })

  test('keeps the name in every other object', () => {
    const called = (name: string) =>
      `{"content":[{"input":{"model":"theirs"}}],"a":{"model":"theirs"},"model":${name},"text":${JSON.stringify(words)}}`
    expect(sent(called('"theirs"'), 'theirs')).toBe(called('"ours"'))
  })

  test('has it in the place of a name of other letters', () => {
    expect(sent(answer('"模型"'), '模型')).toBe(answer('"ours"'))
  })

  test('does not say what the operator pays', () => {
    const priced = `{"model":"theirs","usage":{"prompt_tokens":1,"cost":0.5},"text":${JSON.stringify(words)}}`
    expect(sent(priced, 'theirs', { reportsCost: true })).not.toContain('0.5')
  })
})
