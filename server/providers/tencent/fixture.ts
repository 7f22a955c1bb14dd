import { type Fixture, hello, picture, toolLoop, weatherTool, withPicture } from '#server/dialects/fixture.ts'
import { tencent } from './dialect.ts'

const Usage = { PromptTokens: 3, CompletionTokens: 1, TotalTokens: 4 }

export const tencentFixture: Fixture = {
  dialect: tencent,
  requests: [
    {
      name: 'text',
      request: { messages: hello, temperature: 0.5, topP: 0.9, reasoning: { effort: 'high' } },
      body: {
        Model: 'm',
        Messages: [{ Role: 'user', Content: 'hi' }],
        Stream: false,
        Temperature: 0.5,
        TopP: 0.9,
        EnableThinking: true,
      },
    },
    {
      name: 'an image',
      request: { messages: withPicture },
      body: {
        Model: 'm',
        Messages: [
          {
            Role: 'user',
            Contents: [
              { Type: 'text', Text: 'what is it?' },
              { Type: 'image_url', ImageUrl: { Url: picture } },
            ],
          },
        ],
        Stream: false,
      },
    },
    {
      name: 'tools, their schema as text',
      request: { messages: toolLoop, tools: [weatherTool], toolChoice: { name: 'weather' } },
      body: {
        Model: 'm',
        Messages: [
          { Role: 'system', Content: 'Be brief.' },
          { Role: 'user', Content: 'Rome and Oslo?' },
          {
            Role: 'assistant',
            Content: 'Looking.',
            ToolCalls: [
              { Id: 'c1', Type: 'function', Index: 0, Function: { Name: 'weather', Arguments: '{"city":"Rome"}' } },
              { Id: 'c2', Type: 'function', Index: 1, Function: { Name: 'weather', Arguments: '{}' } },
            ],
          },
          { Role: 'tool', Content: 'sunny', ToolCallId: 'c1' },
          { Role: 'tool', Content: 'rain', ToolCallId: 'c2' },
        ],
        Stream: false,
        Tools: [
          {
            Type: 'function',
            Function: {
              Name: 'weather',
              Description: 'Weather of a city',
              Parameters: JSON.stringify(weatherTool.parameters),
            },
          },
        ],
        ToolChoice: 'custom',
        CustomTool: {
          Type: 'function',
          Function: {
            Name: 'weather',
            Description: 'Weather of a city',
            Parameters: JSON.stringify(weatherTool.parameters),
          },
        },
      },
    },
  ],
  answers: [
    {
      name: 'reasoning and text',
      body: {
        Response: {
          RequestId: 'r',
          Id: 'x',
          Created: 4,
          Choices: [
            { Index: 0, FinishReason: 'stop', Message: { Role: 'assistant', Content: 'Hi', ReasoningContent: 'hm' } },
          ],
          Usage,
        },
      },
      events: [
        { type: 'start', id: 'x', created: 4 },
        { type: 'reasoning-delta', text: 'hm' },
        { type: 'text-delta', text: 'Hi' },
        { type: 'finish', reason: 'stop' },
        { type: 'usage', usage: { input: 3, output: 1 } },
      ],
    },
    {
      name: 'an error with HTTP 200',
      body: { Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'bad' }, RequestId: 'r' } },
      events: [
        {
          type: 'fault',
          fault: { status: 401, message: 'bad', type: 'authentication_error', code: 'invalid_api_key' },
        },
      ],
    },
  ],
  streams: [
    {
      name: 'a call in pieces',
      frames: [
        {
          Id: 'x',
          Created: 4,
          Choices: [
            {
              Index: 0,
              FinishReason: '',
              Delta: {
                Role: 'assistant',
                Content: '',
                ToolCalls: [{ Id: 't1', Type: 'function', Index: 0, Function: { Name: 'weather', Arguments: '{"ci' } }],
              },
            },
          ],
          Usage,
        },
        {
          Id: 'x',
          Choices: [
            { FinishReason: 'tool_calls', Delta: { ToolCalls: [{ Index: 0, Function: { Arguments: 'ty":1}' } }] } },
          ],
          Usage: { ...Usage, CompletionTokens: 8 },
        },
      ],
      events: [
        { type: 'start', id: 'x', created: 4 },
        { type: 'tool-call-start', index: 0, id: 't1', name: 'weather' },
        { type: 'tool-call-delta', index: 0, arguments: '{"ci' },
        { type: 'usage', usage: { input: 3, output: 1 } },
        { type: 'tool-call-delta', index: 0, arguments: 'ty":1}' },
        { type: 'finish', reason: 'tool-calls' },
        { type: 'usage', usage: { input: 3, output: 8 } },
      ],
    },
    {
      name: 'a failure in mid-stream',
      frames: [{ Id: 'x', ErrorMsg: { Code: 2003, Msg: 'engine' } }],
      events: [{ type: 'fault', fault: { status: 500, message: 'engine', type: 'server_error', code: '2003' } }],
    },
  ],
  errors: [
    {
      name: 'a used-up package',
      status: 200,
      body: { Response: { Error: { Code: 'FailedOperation.ResourcePackExhausted', Message: 'x' } } },
      fault: { code: 'insufficient_quota' },
    },
    {
      name: 'forbidden content',
      status: 200,
      body: { Response: { Error: { Code: 'OperationDenied.TextIllegalDetected', Message: 'x' } } },
      fault: { status: 400, code: 'content_filter' },
    },
    {
      name: 'too many calls',
      status: 200,
      body: { Response: { Error: { Code: 'RequestLimitExceeded', Message: 'x' } } },
      fault: { status: 429 },
    },
    { name: 'no JSON', status: 503, body: undefined, fault: { status: 503 } },
  ],
}
