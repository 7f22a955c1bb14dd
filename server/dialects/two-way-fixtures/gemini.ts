import { type Fixture, hello, toolLoop, weatherTool, withPicture } from '#server/dialects/fixture.ts'
import { gemini } from '#server/dialects/gemini/gemini.ts'
import { tag } from '#server/dialects/signature.ts'

const candidate = (parts: object[], finishReason?: string, index?: number) => ({
  content: { role: 'model', parts: parts.map((part) => ({ ...part })) },
  ...(finishReason ? { finishReason } : {}),
  ...(index === undefined ? {} : { index }),
})
const start = { type: 'start', id: 'r1', model: 'gemini-x' } as const
const first = { modelVersion: 'gemini-x', responseId: 'r1' }

export const geminiFixture: Fixture = {
  dialect: gemini,
  requests: [
    {
      name: 'settings and two answers',
      request: {
        messages: hello,
        stream: true,
        maxOutputTokens: 5,
        temperature: 1.5,
        topK: 3,
        n: 2,
        stop: ['x'],
        seed: 4,
      },
      body: {
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        generationConfig: {
          maxOutputTokens: 5,
          temperature: 1.5,
          topK: 3,
          stopSequences: ['x'],
          seed: 4,
          candidateCount: 2,
        },
      },
    },
    {
      name: 'a document without its name, which Google refuses beside bytes',
      request: {
        messages: [
          { role: 'user', parts: [{ type: 'file', url: 'data:application/pdf;base64,JVBE', filename: 'a.pdf' }] },
        ],
      },
      body: {
        contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'application/pdf', data: 'JVBE' } }] }],
      },
    },
    {
      name: 'parallel calls; results name their tool and share one turn',
      request: { messages: toolLoop, tools: [weatherTool, { name: 'now' }], toolChoice: { name: 'weather' } },
      body: {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'Rome and Oslo?' }] },
          {
            role: 'model',
            parts: [
              { text: 'Looking.' },
              { functionCall: { id: 'c1', name: 'weather', args: { city: 'Rome' } } },
              { functionCall: { id: 'c2', name: 'weather', args: {} } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'c1', name: 'weather', response: { output: 'sunny' } } },
              { functionResponse: { id: 'c2', name: 'weather', response: { output: 'rain' } } },
            ],
          },
        ],
        tools: [
          {
            functionDeclarations: [
              { name: 'weather', description: 'Weather of a city', parametersJsonSchema: weatherTool.parameters },
              { name: 'now' },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
      },
    },
    {
      name: 'a picture, and a system text alone becomes the question',
      request: { messages: withPicture, responseFormat: { type: 'json' } },
      body: {
        contents: [
          {
            role: 'user',
            parts: [{ text: 'what is it?' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
          },
        ],
        generationConfig: { responseMimeType: 'application/json' },
      },
    },
    {
      name: 'nothing but instructions',
      request: { messages: [{ role: 'system', parts: [{ type: 'text', text: 'Greet.' }] }] },
      body: { contents: [{ role: 'user', parts: [{ text: 'Greet.' }] }] },
    },
    {
      name: 'reasoning by level, thoughts and signatures of its own',
      request: {
        messages: [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'hm', signature: tag('anthropic-messages', 'foreign') },
              { type: 'tool-call', id: 'a', name: 'f', arguments: '{}', signature: 'c2ln' },
              { type: 'reasoning', text: '', signature: tag('gemini', 'b3du') },
            ],
          },
        ],
        reasoning: { effort: 'xhigh', show: false },
      },
      body: {
        contents: [
          {
            role: 'model',
            parts: [
              { text: 'hm', thought: true },
              { functionCall: { id: 'a', name: 'f', args: {} }, thoughtSignature: 'c2ln' },
              { text: '', thoughtSignature: 'b3du' },
            ],
          },
        ],
        generationConfig: { thinkingConfig: { includeThoughts: false, thinkingLevel: 'HIGH' } },
      },
    },
  ],
  answers: [
    {
      name: 'thoughts, text, a picture, two candidates and every kind of usage',
      body: {
        ...first,
        candidates: [
          candidate(
            [{ text: 'hm', thought: true }, { text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'QQ==' } }],
            'STOP',
            0,
          ),
          candidate([{ text: 'Yo' }], 'SAFETY', 1),
        ],
        usageMetadata: {
          promptTokenCount: 10,
          toolUsePromptTokenCount: 2,
          cachedContentTokenCount: 4,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 3,
          totalTokenCount: 20,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 4 },
            { modality: 'AUDIO', tokenCount: 6 },
          ],
          candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 2 }],
        },
      },
      events: [
        start,
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'image', url: 'data:image/png;base64,QQ==' },
        { type: 'finish', reason: 'stop' },
        { type: 'text-delta', text: 'Yo', choice: 1 },
        { type: 'finish', reason: 'content-filter', choice: 1 },
        { type: 'usage', usage: { input: 12, output: 8, cacheRead: 4, reasoning: 3, audioInput: 6, imageOutput: 2 } },
      ],
    },
    {
      name: 'a blocked prompt',
      body: { ...first, promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } },
      events: [start, { type: 'finish', reason: 'content-filter' }, { type: 'usage', usage: { input: 3, output: 0 } }],
    },
    {
      name: 'an error in a successful answer, in a list',
      body: [{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }],
      events: [
        {
          type: 'fault',
          fault: { status: 429, message: 'Quota', type: 'rate_limit_error', code: 'RESOURCE_EXHAUSTED' },
        },
      ],
    },
  ],
  streams: [
    {
      name: 'thoughts, text and calls with and without an id',
      frames: [
        {
          ...first,
          candidates: [candidate([{ text: 'hm', thought: true }])],
          usageMetadata: { promptTokenCount: 8, thoughtsTokenCount: 5 },
        },
        { candidates: [candidate([{ text: 'Hi' }])] },
        {
          candidates: [candidate([{ functionCall: { id: 'x', name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' }])],
        },
        {
          candidates: [candidate([{ functionCall: { name: 'g' } }], 'STOP')],
          usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 6, thoughtsTokenCount: 5 },
        },
      ],
      events: [
        start,
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'usage', usage: { input: 8, output: 5, reasoning: 5 } },
        { type: 'text-delta', text: 'Hi' },
        { type: 'tool-call-start', index: 0, id: 'x', name: 'f', signature: 'c2ln' },
        { type: 'tool-call-delta', index: 0, arguments: '{"a":1}' },
        { type: 'tool-call-start', index: 1, id: 'call_*', name: 'g' },
        { type: 'tool-call-delta', index: 1, arguments: '{}' },
        { type: 'finish', reason: 'tool-calls' },
        { type: 'usage', usage: { input: 8, output: 11, reasoning: 5 } },
      ],
    },
    {
      name: 'a signed text, then an error',
      frames: [
        { ...first, candidates: [candidate([{ text: 'Hi', thoughtSignature: 'c2ln' }])] },
        { error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } },
      ],
      events: [
        start,
        { type: 'text-delta', text: 'Hi' },
        { type: 'reasoning-signature', signature: 'gemini:c2ln' },
        { type: 'fault', fault: { status: 503, message: 'busy', type: 'server_error', code: 'UNAVAILABLE' } },
      ],
    },
  ],
  errors: [
    {
      name: 'a resource of the operator, which is not shown',
      status: 403,
      body: {
        error: { code: 403, message: "Denied on '//cloud.example.com/projects/p1' here", status: 'PERMISSION_DENIED' },
      },
      fault: { status: 403, message: "Denied on '[address]' here" },
    },
    {
      name: 'a bad key comes as 400 and is still about the key',
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'API key not valid',
          status: 'INVALID_ARGUMENT',
          details: [{ reason: 'API_KEY_INVALID' }],
        },
      },
      fault: { status: 401, type: 'authentication_error' },
    },
    {
      name: 'a region that may not call is not the fault of the client',
      status: 400,
      body: { error: { code: 400, message: 'User location is not supported', status: 'FAILED_PRECONDITION' } },
      fault: { status: 403 },
    },
    {
      name: 'an unknown model',
      status: 404,
      body: [{ error: { code: 404, message: 'no', status: 'NOT_FOUND' } }],
      fault: { status: 404, message: 'no' },
    },
  ],
}
