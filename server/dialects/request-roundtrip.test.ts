import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '#shared/testing/thoroughness.ts'
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts'
import type { AssistantPart, ChatRequest, Message, Tool, UserPart } from './chat.ts'
import type { Dialect } from './dialect.ts'
import { gemini } from './gemini/gemini.ts'
import { createOpenaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'
import { tag } from './signature.ts'

const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '')
const token = fc.stringMatching(/^[a-zA-Z0-9_-]{1,10}$/)
const base64 = fc.uint8Array({ minLength: 3, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const object = fc.dictionary(token, fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), {
  maxKeys: 3,
})

const text = word.map((words): UserPart => ({ type: 'text', text: words }))
const image = fc.oneof(
  base64.map((data): UserPart => ({ type: 'image', url: `data:image/png;base64,${data}` })),
  token.map((name): UserPart => ({ type: 'image', url: `https://pictures.example/${name}.png` })),
)
const file = fc
  .tuple(base64, token)
  .map(
    ([data, name]): UserPart => ({ type: 'file', url: `data:application/pdf;base64,${data}`, filename: `${name}.pdf` }),
  )
const bareFile = base64.map((data): UserPart => ({ type: 'file', url: `data:application/pdf;base64,${data}` }))
const audio = base64.map((data): UserPart => ({ type: 'audio', format: 'mp3', data }))

interface Abilities {
  readonly dialect: Dialect
  readonly userParts: fc.Arbitrary<UserPart>
  /** Origin whose signatures the format gives back. */
  readonly origin: 'anthropic-messages' | 'gemini' | 'openai-chat' | 'openai-responses'
  readonly signsCalls: boolean
  readonly reportsToolErrors: boolean
  readonly systemRoles: readonly ('system' | 'developer')[]
}

const abilities: Record<string, Abilities> = {
  'openai-chat': {
    dialect: createOpenaiChat({ reasoning: true, cacheControl: true, developer: true }),
    userParts: fc.oneof(text, image, file, audio),
    origin: 'openai-chat',
    signsCalls: true,
    reportsToolErrors: false,
    systemRoles: ['system', 'developer'],
  },
  'openai-responses': {
    dialect: openaiResponses,
    userParts: fc.oneof(text, image, file, audio),
    origin: 'openai-responses',
    signsCalls: false,
    reportsToolErrors: false,
    systemRoles: ['system', 'developer'],
  },
  'anthropic-messages': {
    dialect: anthropicMessages,
    userParts: fc.oneof(text, image, file),
    origin: 'anthropic-messages',
    signsCalls: false,
    reportsToolErrors: true,
    systemRoles: ['system'],
  },
  gemini: {
    dialect: gemini,
    userParts: fc.oneof(text, image, bareFile, audio),
    origin: 'gemini',
    signsCalls: true,
    reportsToolErrors: true,
    systemRoles: ['system'],
  },
}

function proofOf(origin: Abilities['origin'], raw: string): string {
  return tag(origin, origin === 'openai-responses' ? `rs_1 ${raw}` : raw)
}

/** One exchange: the user asks, the assistant thinks, speaks and calls, the tools answer. */
function exchange(able: Abilities, number: number): fc.Arbitrary<Message[]> {
  const calls = fc.array(fc.record({ name: token, arguments: object, signature: base64 }), { maxLength: 3 })
  return fc
    .record({
      asked: fc.array(able.userParts, { minLength: 1, maxLength: 3 }),
      thought: fc.option(fc.record({ text: word, raw: base64 })),
      // Claude is sent no blanks behind an answer to go on with.
      said: word.map((words) => words.trimEnd()),
      calls,
      isError: fc.boolean(),
      result: word,
    })
    .map(({ asked, thought, said, calls, isError, result }): Message[] => {
      const made = calls.map((call, index): Extract<AssistantPart, { type: 'tool-call' }> => {
        const part = { type: 'tool-call' as const, id: `call_${number}_${index}`, name: call.name }
        const signature = able.signsCalls ? { signature: call.signature } : {}
        return { ...part, arguments: JSON.stringify(call.arguments), ...signature }
      })
      const reasoning: AssistantPart[] = thought
        ? [{ type: 'reasoning', text: thought.text, signature: proofOf(able.origin, thought.raw) }]
        : []
      const results = made.map(({ id, name }): Message => {
        const named = able.dialect.id === 'gemini' ? { name } : {}
        const failed = able.reportsToolErrors && isError ? { isError } : {}
        return { role: 'tool', callId: id, ...named, parts: [{ type: 'text', text: result }], ...failed }
      })
      const assistant: Message = { role: 'assistant', parts: [...reasoning, { type: 'text', text: said }, ...made] }
      return [{ role: 'user', parts: asked }, assistant, ...results]
    })
}

const tool: fc.Arbitrary<Tool> = fc
  .record({ name: token, description: word, property: token })
  .map(({ name, description, property }) => ({
    name,
    description,
    parameters: { type: 'object', properties: { [property]: { type: 'string' } }, required: [property] },
  }))

function conversation(able: Abilities): fc.Arbitrary<Message[]> {
  const system = fc
    .tuple(fc.constantFrom(...able.systemRoles), word)
    .map(([role, words]): Message => ({ role, parts: [{ type: 'text', text: words }] }))
  return fc
    .tuple(fc.option(system), exchange(able, 0), exchange(able, 1))
    .map(([first, ...exchanges]) => [...(first ? [first] : []), ...exchanges.flat()])
}

function again(dialect: Dialect, request: ChatRequest): ChatRequest {
  const body = JSON.parse(JSON.stringify(dialect.encodeRequest(request)))
  return dialect.decodeRequest({ ...body, model: request.model, stream: request.stream })
}

describe.each(Object.entries(abilities))('%s', (_id, able) => {
  test('gives back every message, tool and choice it was asked to carry', () => {
    const choice = fc.constantFrom('auto' as const, 'none' as const, 'required' as const)
    fc.assert(
      fc.property(
        conversation(able),
        fc.array(tool, { minLength: 1, maxLength: 3 }),
        choice,
        (messages, tools, toolChoice) => {
          const request: ChatRequest = { model: 'm', messages, stream: true, includeUsage: true, tools, toolChoice }
          const decoded = again(able.dialect, request)
          expect(decoded.messages).toEqual(messages)
          expect(decoded.tools?.map(({ strict: _strict, ...rest }) => rest)).toEqual(tools)
          expect(decoded.toolChoice).toEqual(toolChoice)
          expect(decoded.stream).toBe(true)
        },
      ),
      runs(60),
    )
  })

  test('gives back limits, sampling and the form of the answer', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    const request: ChatRequest = {
      model: 'm',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
      stream: false,
      includeUsage: true,
      maxOutputTokens: 70,
      temperature: 0.5,
      topP: 0.25,
      responseFormat: { type: 'json-schema', name: 'answer', schema },
    }
    expect(again(able.dialect, request)).toEqual({
      ...request,
      includeUsage: able.dialect.id !== 'openai-chat',
    })
  })

  test('never sends one provider the proof of another', () => {
    const foreign = able.origin === 'gemini' ? 'anthropic-messages' : 'gemini'
    const messages: Message[] = [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', signature: tag(foreign, 'SECRETPROOF') },
          { type: 'reasoning', text: '', redacted: tag('anthropic-messages', 'SEALEDTHOUGHT') },
          { type: 'text', text: 'hello' },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'again' }] },
    ]
    const body = JSON.stringify(
      able.dialect.encodeRequest({ model: 'm', messages, stream: false, includeUsage: false }),
    )
    expect(body).not.toContain('SECRETPROOF')
    expect(body.includes('SEALEDTHOUGHT')).toBe(able.origin === 'anthropic-messages')
    expect(body).toContain('hello')
  })
})
