import { describe, expect, test } from 'bun:test'
import { anthropicMessages } from '#server/dialects/anthropic-messages/anthropic-messages.ts'
import type { ChatEvent, Citation, TokenLogprobs } from '#server/dialects/chat.ts'
import { collectAnswer } from '#server/dialects/collected-answer.ts'
import type { Dialect } from '#server/dialects/dialect.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { openaiChat } from '#server/dialects/openai-chat/openai-chat.ts'
import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { objectOf, parseJson } from '#server/lib/json.ts'
import { ownAnthropicThoughts } from '#server/providers/foreign-signatures.ts'

const token = (word: string, logprob: number) => ({ token: word, logprob, bytes: [...Buffer.from(word)] })
const wireToken = (word: string, logprob: number) => ({
  ...token(word, logprob),
  top_logprobs: [token(word, logprob), token('ß', -3.5)],
})
const tokens: TokenLogprobs[] = ['Grüß', ' dich'].map((word) => ({
  ...token(word, -0.25),
  top: [token(word, -0.25), token('ß', -3.5)],
}))
const citation: Citation = { url: 'https://a.example/1', title: 'One', start: 0, end: 4 }
const inChat = { url: citation.url, title: citation.title, start_index: 0, end_index: 4 }
const chatAnnotation = { type: 'url_citation', url_citation: inChat }
const annotation = { type: 'url_citation', ...inChat }
const wireTokens = tokens.map(({ token: word }) => wireToken(word, -0.25))

const chatAnswer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 5,
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Grüß dich', refusal: null, annotations: [chatAnnotation] },
      logprobs: { content: wireTokens, refusal: null },
      finish_reason: 'stop',
    },
  ],
}
const piece = (delta: object, logprobs: unknown = null, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 5,
  model: 'm',
  choices: [{ index: 0, delta, logprobs, finish_reason }],
})
const chatStream = [
  piece({ role: 'assistant', content: '' }, { content: [], refusal: null }),
  ...wireTokens.map((each) => piece({ content: each.token }, { content: [each], refusal: null })),
  piece({ annotations: [chatAnnotation] }),
  piece({}, null, 'stop'),
]

const part = { type: 'output_text', text: 'Grüß dich', annotations: [annotation], logprobs: wireTokens }
const item = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [part] }
const response = { id: 'resp_1', object: 'response', created_at: 5, model: 'm', status: 'completed', output: [item] }
const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const responsesStream = [
  { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
  ...wireTokens.map((each) => ({
    type: 'response.output_text.delta',
    ...at,
    delta: each.token,
    logprobs: [each],
  })),
  { type: 'response.output_text.annotation.added', ...at, annotation_index: 0, annotation },
  { type: 'response.output_text.done', ...at, text: part.text, logprobs: wireTokens },
  { type: 'response.content_part.done', ...at, part },
  { type: 'response.output_item.done', output_index: 0, item },
  { type: 'response.completed', response },
]

const geminiAnswer = {
  responseId: '1',
  modelVersion: 'm',
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [{ text: 'Grüß dich' }] },
      finishReason: 'STOP',
      logprobsResult: {
        chosenCandidates: tokens.map(({ token: word }) => ({ token: word, tokenId: 7, logProbability: -0.25 })),
        topCandidates: tokens.map(({ top }) => ({
          candidates: top.map((each) => ({ token: each.token, tokenId: 7, logProbability: each.logprob })),
        })),
      },
    },
  ],
}

function streamed(dialect: Dialect, frames: readonly object[]): ChatEvent[] {
  const decoder = dialect.streamDecoder()
  return [...frames.flatMap((frame) => decoder.push({ data: JSON.stringify(frame) })), ...decoder.end()]
}

const asked = { model: 'm', messages: [], stream: true, includeUsage: false, logprobs: { top: 2 } }
const written = (dialect: Dialect, events: readonly ChatEvent[]) => {
  const encoder = dialect.streamEncoder(asked)
  const frames = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()]
  return frames.map(({ data }) => objectOf(parseJson(data)) ?? {})
}

const sources: [string, ChatEvent[]][] = [
  ['a chat answer', openaiChat.decodeResponse(chatAnswer)],
  ['a chat stream', streamed(openaiChat, chatStream)],
  ['a response', openaiResponses.decodeResponse(response)],
  ['a stream of a response', streamed(openaiResponses, responsesStream)],
]

describe.each(sources)('likelihoods and citations of %s', (_, events) => {
  test('are read', () => {
    const [choice] = collectAnswer(events).choices
    expect(choice).toMatchObject({ logprobs: tokens, citations: [citation] })
    expect(choice?.parts).toEqual([{ type: 'text', text: 'Grüß dich' }])
  })

  test('stand in a chat answer', () => {
    expect(openaiChat.encodeResponse(events, asked)).toMatchObject({ choices: chatAnswer.choices })
  })

  test('stand in a chat stream', () => {
    const again = collectAnswer(streamed(openaiChat, written(openaiChat, events)))
    expect(again.choices[0]).toMatchObject({ logprobs: tokens, citations: [citation] })
  })

  test('stand in a response', () => {
    expect(openaiResponses.encodeResponse(events, asked)).toMatchObject({
      output: [{ type: 'message', content: [part] }],
      top_logprobs: 2,
    })
  })

  test('stand in a stream of a response, piece by piece and whole', () => {
    const frames = written(openaiResponses, events)
    const ofType = (type: string) => frames.filter((frame) => frame.type === `response.${type}`)
    expect(ofType('output_text.delta').flatMap((frame) => frame.logprobs)).toEqual(wireTokens)
    expect(ofType('output_text.annotation.added')).toMatchObject([{ annotation_index: 0, annotation }])
    expect(ofType('output_text.done')).toMatchObject([{ logprobs: wireTokens }])
    expect(ofType('content_part.done')).toMatchObject([{ part }])
    expect(ofType('completed')).toMatchObject([{ response: { output: [{ content: [part] }] } }])
  })
})

test('what Gemini says of likelihoods comes to OpenAI’s clients, and theirs to Gemini’s', () => {
  const read = gemini.decodeResponse(geminiAnswer)
  expect(openaiChat.encodeResponse(read, asked)).toMatchObject({ choices: [{ logprobs: { content: wireTokens } }] })
  const [, chat = []] = sources[0] ?? []
  for (const shown of [gemini.encodeResponse(chat, asked), written(gemini, chat)[0]]) {
    const again = collectAnswer(gemini.decodeResponse(shown))
    expect(again.choices[0]?.logprobs).toEqual(tokens)
  }
})

const claudeCitation = {
  type: 'web_search_result_location',
  url: citation.url,
  title: 'One',
  encrypted_index: 'e',
  cited_text: 'x',
}
const inDocument = { type: 'char_location', document_index: 0, document_title: 'D', cited_text: 'x' }
const claudeAnswer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'text', text: 'Grüß', citations: [claudeCitation, inDocument] },
    { type: 'text', text: ' dich' },
  ],
  stop_reason: 'end_turn',
}
const claudeStream = [
  { type: 'message_start', message: { ...claudeAnswer, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: [] } },
  { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: claudeCitation } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüß' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: ' dich' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
]
const groundingMetadata = {
  webSearchQueries: ['q'],
  groundingChunks: [{ web: { uri: citation.url, title: 'One' } }],
  // Google counts bytes.
  groundingSupports: [{ segment: { startIndex: 0, endIndex: 6, text: 'Grüß' }, groundingChunkIndices: [0] }],
}
const grounded = (text: string, more: object) => ({
  responseId: '1',
  modelVersion: 'm',
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }],
})

const searchers: [string, ChatEvent[]][] = [
  ['a message of Claude', anthropicMessages.decodeResponse(claudeAnswer)],
  ['a stream of Claude', streamed(anthropicMessages, claudeStream)],
  ['an answer of Gemini', gemini.decodeResponse(grounded('Grüß dich', { groundingMetadata, finishReason: 'STOP' }))],
  [
    'a stream of Gemini that says it twice',
    streamed(gemini, [
      grounded('Grüß', {}),
      grounded(' dich', { groundingMetadata }),
      grounded('', { groundingMetadata, finishReason: 'STOP' }),
    ]),
  ],
  ['a chat answer', openaiChat.decodeResponse(chatAnswer)],
]

describe.each(searchers)('pages cited in %s', (_, events) => {
  test('are read once', () => {
    expect(collectAnswer(events).choices[0]?.citations).toEqual([citation])
  })

  test('stand in chat and responses', () => {
    expect(openaiChat.encodeResponse(events, asked)).toMatchObject({
      choices: [{ message: { content: 'Grüß dich', annotations: [chatAnnotation] } }],
    })
    expect(openaiResponses.encodeResponse(events, asked)).toMatchObject({
      output: [{ content: [{ annotations: [annotation] }] }],
    })
  })

  test('stand in messages, plain and streamed', () => {
    const found = {
      type: 'web_search_result_location',
      url: citation.url,
      title: 'One',
      cited_text: '',
      encrypted_index: '',
    }
    const plain = objectOf(anthropicMessages.encodeResponse(events, asked))
    expect(plain?.content).toEqual([{ type: 'text', text: 'Grüß dich', citations: [found] }])
    const frames = written(anthropicMessages, events)
    const deltas = frames.filter(({ delta }) => objectOf(delta)?.type === 'citations_delta')
    expect(deltas).toEqual([
      { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: found } },
    ])
  })

  test('stand in Gemini’s answers, plain and streamed', () => {
    const { webSearchQueries: __, ...shown } = groundingMetadata
    const plain = gemini.encodeResponse(events, asked)
    expect(plain).toMatchObject({ candidates: [{ groundingMetadata: shown }] })
    expect(written(gemini, events).at(-1)).toMatchObject({ candidates: [{ groundingMetadata: shown }] })
  })
})

test('citations of other vendors do not go back to Anthropic, which did not encrypt them', () => {
  const own = { ...claudeCitation }
  const foreign = { ...claudeCitation, encrypted_index: '' }
  const messages = [
    { role: 'assistant', content: [{ type: 'text', text: 'a', citations: [foreign, own] }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: '', citations: [foreign] },
        { type: 'text', text: 'b', citations: [foreign] },
      ],
    },
  ]
  expect(ownAnthropicThoughts({ messages } as never)).toEqual({
    messages: [
      { role: 'assistant', content: [{ type: 'text', text: 'a', citations: [own] }] },
      { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
    ],
  } as never)
})

test('positions are those of the part they stand in', () => {
  const text = (words: string, cited: unknown[]) => ({ type: 'output_text', text: words, annotations: cited })
  const two = { ...response, output: [{ ...item, content: [text('😀 first. ', []), text('Grüß', [annotation])] }] }
  const events = openaiResponses.decodeResponse(two)
  const moved = { ...inChat, start_index: 9, end_index: 13 }
  expect(openaiChat.encodeResponse(events, asked)).toMatchObject({
    choices: [{ message: { content: '😀 first. Grüß', annotations: [{ url_citation: moved }] } }],
  })
})

test('both of OpenAI’s formats are asked for likelihoods in their own words', () => {
  const hi = [{ role: 'user', content: 'hi' }]
  const fromChat = openaiChat.decodeRequest({ model: 'm', messages: hi, logprobs: true, top_logprobs: 2 })
  expect(openaiResponses.encodeRequest(fromChat)).toMatchObject({
    top_logprobs: 2,
    include: ['message.output_text.logprobs'],
  })
  const include = ['message.output_text.logprobs']
  const fromResponses = openaiResponses.decodeRequest({ model: 'm', input: 'hi', include, top_logprobs: 2 })
  expect(openaiChat.encodeRequest(fromResponses)).toMatchObject({ logprobs: true, top_logprobs: 2 })
})
