import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Type } from '@google/genai'
import { objectOf } from '#server/lib/json.ts'
import type { FakeUpstream } from '#server/testing/fake-upstream.ts'
import { type RelayScene, startRelayScene } from '#server/testing/relay-scene.ts'
import { sdkClients } from '#server/testing/sdk-clients.ts'
import { api } from '#shared/api/all.ts'

const model = 'claude-sonnet-4-5'
const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text: '{}' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
}

let scene: RelayScene
let claude: FakeUpstream
beforeAll(async () => {
  scene = await startRelayScene()
  claude = await scene.channel(() => Response.json(answer), { type: 14, models: model })
  await scene.root.call(api.options.update, { key: 'ModelRatio', value: JSON.stringify({ [model]: 1 }) })
})
afterAll(() => scene.stop())

const sentSchema = () => objectOf(objectOf(claude.seen.at(-1)?.body.output_config)?.format)?.schema

test('a schema of Google’s client reaches Claude without what it refuses', async () => {
  const { google } = sdkClients(scene.app.url, scene.key)
  const responseSchema = {
    type: Type.OBJECT,
    propertyOrdering: ['name', 'ages'],
    properties: {
      name: { type: Type.STRING, description: 'of a person', maxLength: '20' },
      ages: { type: Type.ARRAY, minItems: '2', items: { type: Type.INTEGER, format: 'int32', minimum: 0 } },
    },
    required: ['name'],
  }
  const config = { responseMimeType: 'application/json', responseSchema }
  await google.models.generateContent({ model, contents: 'who?', config })
  expect(sentSchema()).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', description: 'of a person\n\n{maxLength: 20}' },
      ages: {
        type: 'array',
        description: '{minItems: 2}',
        items: { type: 'integer', description: '{format: "int32", minimum: 0}' },
      },
    },
    required: ['name'],
    additionalProperties: false,
  })
})

test('a schema of OpenAI’s keeps what Claude understands, wherever it stands', async () => {
  const { openai } = sdkClients(scene.app.url, scene.key)
  const pet = {
    type: 'object',
    properties: { kind: { enum: ['cat', 'dog'] } },
    additionalProperties: { type: 'string' },
  }
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      when: { type: 'string', format: 'date' },
      pet: { $ref: '#/$defs/pet' },
      some: { oneOf: [{ type: 'null' }, { type: 'array', minItems: 1, items: { $ref: '#/$defs/pet' } }] },
      properties: { type: 'string' },
    },
    required: ['when', 'pet', 'some', 'properties'],
    additionalProperties: false,
    $defs: { pet },
  }
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'x', strict: true, schema } }
  await openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'who?' }], response_format })
  const { $schema: _, ...rest } = schema
  expect(sentSchema()).toEqual({
    ...rest,
    properties: { ...schema.properties, some: { anyOf: schema.properties.some.oneOf } },
    $defs: { pet: { ...pet, additionalProperties: false } },
  })
})

const strictTool = (name: string) => ({
  type: 'function' as const,
  strict: true,
  name,
  parameters: {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1 }, word: { type: ['string', 'null'], maxLength: 9 } },
    required: ['count', 'word'],
    additionalProperties: false,
  },
})
const sentTools = async (tools: ReturnType<typeof strictTool>[]) => {
  const { openai } = sdkClients(scene.app.url, scene.key)
  await openai.responses.create({ model, input: 'who?', tools })
  return claude.seen.at(-1)?.body.tools
}

test('strict tools of OpenAI’s, as its agents always send them, reach Claude without what it refuses of them', async () => {
  const [sent] = (await sentTools([strictTool('f')])) as unknown[]
  expect(sent).toMatchObject({
    strict: true,
    input_schema: {
      properties: {
        count: { type: 'integer', description: '{minimum: 1}' },
        word: { type: ['string', 'null'], description: '{maxLength: 9}' },
      },
      additionalProperties: false,
    },
  })
  expect(JSON.stringify(sent)).not.toContain('"minimum":')
})

test('tools are strict for Claude as long as there are few of them: it refuses the forms of many', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  const many = names.map(strictTool)
  expect(JSON.stringify(await sentTools(many.slice(0, 5)))).toContain('"strict":true')
  const sent = await sentTools(many)
  expect(sent).toHaveLength(9)
  expect(JSON.stringify(sent)).not.toContain('strict')
  expect(sent).toMatchObject(many.map(({ name, parameters }) => ({ name, input_schema: parameters })))
})
