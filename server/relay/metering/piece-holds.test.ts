import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { countTokens } from '#server/billing/counting/tokenizer.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { lastHold } from '#server/testing/last-hold.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'

let scene: RelayScene
beforeAll(async () => {
  scene = await startRelayScene({ quota: 100_000_000, tokenQuota: 100_000_000 })
})
afterEach(() => scene.clear())
afterAll(() => scene.stop())

const pieces = <Piece>(count: number, of: (at: number) => Piece): Piece[] =>
  Array.from({ length: count }, (_, at) => of(at))
const user = { role: 'user', content: 'hi' }
const inParts = (text: string) => ({
  messages: [{ role: 'user', content: pieces(500, () => ({ type: 'text', text })) }],
})
const inTool = (values: unknown) => ({
  messages: [user],
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', enum: values } } }],
})

describe('many small pieces are held as what a vendor reads', () => {
  test.each([
    ['brackets', inParts('{}[]()<>;:,.'.repeat(10))],
    ['a rare script', inParts('ᏣᎳᎩ'.repeat(40))],
    ['letters without sense', inParts('qxzjkvwpbg'.repeat(12))],
    ['empty lists', inTool(pieces(10_000, () => []))],
    ['empty objects', inTool(pieces(10_000, () => ({})))],
    ['numbers', inTool(pieces(5000, (at) => Math.sin(at)))],
    ['letters', inTool(pieces(10_000, () => 'a'))],
    ['names', inTool(Object.fromEntries(pieces(10_000, (at) => [`of ${at}`, true])))],
  ])('%s', async (_, body) => {
    const prompt = await countTokens(JSON.stringify('tools' in body ? body.tools : body.messages[0]?.content), 'gpt-4o')
    await scene.channel(chatAnswer('hello', { prompt_tokens: prompt, completion_tokens: 5 }))
    const answer = await scene.chat({ ...body, max_tokens: 100 })
    expect([answer.status, await answer.text()]).toEqual([200, expect.anything()])
    expect((await lastHold(scene)) * 1.2).toBeGreaterThan(prompt)
  })
})

test("what Google's clients say of a tool is data: a text in it is no picture", async () => {
  await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  const example = { url: `data:image/png;base64,${'word '.repeat(20_000)}` }
  await scene.post('/v1beta/models/gpt-4o:generateContent', {
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: { type: 'object', example } }] }],
    generationConfig: { maxOutputTokens: 100 },
  })
  expect(await lastHold(scene)).toBeGreaterThan(20_000)
})
