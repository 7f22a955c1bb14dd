import { expect, test } from 'bun:test'
import type { ChatRequest } from '#server/dialects/chat.ts'
import { type Target, UpstreamFault } from '#server/providers/provider.ts'
import { requestOf, targetOf } from '#server/providers/testing.ts'
import { checkTable } from '#shared/testing/table.ts'
import { converse } from './converse.ts'
import { doubleUsage } from './script.ts'
import { type DoubleKind, startDouble } from './start-double.ts'

interface Row {
  readonly kind: DoubleKind
  readonly type: number
  readonly asks?: Partial<Target>
  /** What the protocol cannot do. */
  readonly lacks?: readonly ('tools' | 'images')[]
}

const rows: readonly Row[] = [
  { kind: 'openai', type: 1 },
  { kind: 'openai', type: 1, asks: { clientDialect: 'openai-responses' } },
  { kind: 'openai', type: 8 },
  { kind: 'azure', type: 3, asks: { other: '2024-10-21' } },
  { kind: 'azure', type: 3 },
  { kind: 'anthropic', type: 14 },
  { kind: 'gemini', type: 24 },
  { kind: 'baidu', type: 15, lacks: ['images'] },
  { kind: 'dashscope', type: 17 },
  { kind: 'dashscope', type: 17, asks: { other: 'plugin' } },
  { kind: 'spark', type: 18, asks: { other: 'v3.5' }, lacks: ['images'] },
  { kind: 'tencent', type: 23 },
  { kind: 'zhipu', type: 16, asks: { model: 'glm-5' } },
  { kind: 'zhipu', type: 16, asks: { model: 'chatglm_turbo' }, lacks: ['tools', 'images'] },
  { kind: 'minimax', type: 27 },
  { kind: 'ollama', type: 30 },
]

const weather = { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }
const nameOf = ({ kind, asks }: Row) => `${kind} ${JSON.stringify(asks ?? {})}`

const says = (text: string): ChatRequest['messages'] => [{ role: 'user', parts: [{ type: 'text', text }] }]

test.each(rows.map((row) => [nameOf(row), row] as const))('%s does what the vendor does', async (_, row) => {
  const double = startDouble(row.kind)

  const ask = (changes: Partial<ChatRequest> = {}, key = double.key) => {
    const model = changes.model ?? row.asks?.model ?? 'm'
    const request = requestOf({ ...changes, model })
    const target = targetOf(row.type, { ...row.asks, baseUrl: double.url, key, stream: request.stream, model })
    return converse(target, request)
  }

  const answers = async (stream: boolean) => {
    const answer = await ask({ stream, messages: says('hello there') })
    expect(answer.fault).toBeUndefined()
    expect(answer.choices).toMatchObject([{ parts: [{ type: 'text', text: 'You said: hello there' }], finish: 'stop' }])
    expect(answer.usage).toMatchObject(doubleUsage)
  }

  const runsTool = async (stream: boolean) => {
    const messages = says('weather?')
    const asked = await ask({ stream, messages, tools: [weather] })
    const [choice] = asked.choices
    const call = choice?.parts.find((part) => part.type === 'tool-call')
    expect(choice?.finish).toBe('tool-calls')
    expect(call).toMatchObject({ name: 'weather', arguments: '{"city":"Rome"}' })
    const result = {
      role: 'tool' as const,
      callId: call?.id ?? '',
      parts: [{ type: 'text' as const, text: 'sunny' }],
    }
    const turns = [...messages, { role: 'assistant' as const, parts: choice?.parts ?? [] }, result]
    const answer = await ask({ stream, messages: turns, tools: [weather] })
    expect(answer.choices).toMatchObject([{ parts: [{ text: 'The tool said: sunny' }], finish: 'stop' }])
  }

  const seesImage = async () => {
    const parts = [
      { type: 'text' as const, text: 'what?' },
      { type: 'image' as const, url: 'https://p.example/a.png' },
    ]
    const answer = await ask({ messages: [{ role: 'user', parts }] })
    expect(answer.choices).toMatchObject([{ parts: [{ text: 'I see an image. You said: what?' }] }])
  }

  const fails = async (stream: boolean) => {
    const { fault } = await ask({ stream, messages: says('error-429') })
    expect(fault).toMatchObject({ status: 429, message: expect.stringContaining('as you wish') })
  }

  const refusesWrongKey = async () => {
    const wrong = double.key.replace(/.$/, '?')
    const fault = await ask({}, wrong).then(
      (answer) => answer.fault,
      (error: unknown) => (error instanceof UpstreamFault ? error.fault : undefined),
    )
    expect(fault?.status).toBe(401)
    expect(JSON.stringify(fault)).not.toContain(wrong)
  }

  const cells: [string, () => Promise<void>][] = [false, true].flatMap((stream) => [
    [`answers and reports usage, streaming ${stream}`, () => answers(stream)],
    [`fails on demand, streaming ${stream}`, () => fails(stream)],
    ...(row.lacks?.includes('tools')
      ? []
      : [[`makes a tool round trip, streaming ${stream}`, () => runsTool(stream)] as [string, () => Promise<void>]]),
  ])
  if (!row.lacks?.includes('images')) cells.push(['sees an image', seesImage])
  if (row.kind !== 'ollama') cells.push(['refuses a wrong key', refusesWrongKey])
  try {
    await checkTable(cells, (check) => check())
  } finally {
    double.stop()
  }
})
