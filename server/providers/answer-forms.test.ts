import { describe, expect, test } from 'bun:test'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { withinModel } from './openai/models.ts'

const asked = (model: string, generationConfig: Record<string, unknown>) =>
  gemini.decodeRequest({ model, contents: [{ parts: [{ text: 'hi' }] }], generationConfig })
const json = (responseSchema: unknown) => ({ responseMimeType: 'application/json', responseSchema })
const list = json({ type: 'ARRAY', items: { type: 'STRING' } })

describe('the form of an answer that Google’s clients ask for', () => {
  test.each(['gpt-4o', 'gpt-5.4'])('%s is asked for a list in words, for it takes objects alone', (model) => {
    const request = withinModel(asked(model, list))
    expect(request.responseFormat).toBeUndefined()
    expect(request.messages[0]?.parts).toEqual([
      {
        type: 'text',
        text: 'Answer with JSON that fits this schema and with nothing else: {"type":"array","items":{"type":"string"}}',
      },
    ])
  })

  test('objects stay a setting, and so does a list where it is understood', () => {
    const object = withinModel(asked('gpt-4o', json({ type: 'OBJECT', properties: { a: { type: 'STRING' } } })))
    expect(object.responseFormat).toMatchObject({ type: 'json-schema', schema: { type: 'object' } })
    expect(withinModel(asked('qwen3-32b', list)).responseFormat).toMatchObject({ schema: { type: 'array' } })
  })

  test('JSON of any kind is spoken of once, as OpenAI demands', () => {
    const config = { responseMimeType: 'application/json' }
    expect(asked('gpt-4o', config).messages[0]).toEqual({
      role: 'system',
      parts: [{ type: 'text', text: 'Answer with JSON and nothing else.' }],
    })
    const contents = [{ parts: [{ text: 'Say hi as JSON.' }] }]
    expect(gemini.decodeRequest({ model: 'm', contents, generationConfig: config }).messages).toHaveLength(1)
  })

  test('one of several words is asked for', () => {
    const words = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['cat', 'dog'] } }
    expect(asked('gpt-4o', words).messages[0]).toEqual({
      role: 'system',
      parts: [{ type: 'text', text: 'Answer with one of these and nothing else: cat, dog' }],
    })
  })
})
