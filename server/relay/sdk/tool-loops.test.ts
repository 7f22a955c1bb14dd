import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool as langchainTool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import { doubleCharge, startVendorScene, type VendorScene, vendorName, vendors } from '#server/testing/vendor-scene.ts'
import { checkTable } from '#shared/testing/table.ts'

let scene: VendorScene
beforeAll(async () => {
  scene = await startVendorScene()
  await scene.everyVendor()
})
afterAll(() => scene.stop())

const callers = vendors
  .filter((vendor) => !vendor.lacks?.includes('tools'))
  .map((vendor) => [vendorName(vendor), vendor.model] as const)

const inputSchema = z.object({ city: z.string() })
const description = 'the weather of a city'

/** Two answers were paid, nothing else. */
async function expectTwoAnswers(work: () => Promise<unknown>): Promise<void> {
  const bill = await scene.bill(work)
  expect(bill).toMatchObject({ user: -2 * doubleCharge, token: -2 * doubleCharge, requests: 2, holds: 0 })
  expect(bill.rows.map((row) => row.outcome)).toEqual(['done', 'done'])
}

describe('the AI SDK', () => {
  const settings = (model: string, asked: string[]) => ({
    model: createOpenAICompatible({
      name: 'relay',
      baseURL: `${scene.app.url}/v1`,
      apiKey: scene.key,
      includeUsage: true,
    })(model),
    prompt: 'weather?',
    maxRetries: 0,
    stopWhen: stepCountIs(3),
    tools: {
      weather: tool({
        description,
        inputSchema,
        execute: async ({ city }) => {
          asked.push(city)
          return 'sunny'
        },
      }),
    },
  })

  test('runs a tool loop through every vendor', async () => {
    await checkTable(callers, async (model) => {
      const asked: string[] = []
      await expectTwoAnswers(async () => {
        const { text, totalUsage } = await generateText(settings(model, asked))
        expect(text).toBe('The tool said: sunny')
        expect(totalUsage).toMatchObject({ inputTokens: 22, outputTokens: 14 })
      })
      expect(asked).toEqual(['Rome'])
    })
  })

  test('runs a streamed tool loop through every vendor', async () => {
    await checkTable(callers, async (model) => {
      const asked: string[] = []
      await expectTwoAnswers(async () => {
        const run = streamText(settings(model, asked))
        expect(await run.text).toBe('The tool said: sunny')
        expect(await run.totalUsage).toMatchObject({ inputTokens: 22, outputTokens: 14 })
      })
      expect(asked).toEqual(['Rome'])
    })
  })
})

describe('LangChain', () => {
  const weather = langchainTool(async ({ city }) => `sunny in ${city}`, {
    name: 'weather',
    description,
    schema: inputSchema,
  })

  const open = (model: string, useResponsesApi: boolean) =>
    new ChatOpenAI({
      model,
      apiKey: scene.key,
      maxRetries: 0,
      useResponsesApi,
      configuration: { baseURL: `${scene.app.url}/v1` },
    }).bindTools([weather])

  test('runs a tool loop through every vendor', async () => {
    await checkTable(callers, async (model) => {
      const chat = open(model, false)
      await expectTwoAnswers(async () => {
        const question = new HumanMessage('weather?')
        const asked = await chat.invoke([question])
        expect(asked.tool_calls).toMatchObject([{ name: 'weather', args: { city: 'Rome' } }])
        const results = await Promise.all((asked.tool_calls ?? []).map((call) => weather.invoke(call)))
        const answer = await chat.invoke([question, asked, ...results.map((result) => result as ToolMessage)])
        expect(answer.text).toBe('The tool said: sunny in Rome')
        expect(answer.usage_metadata).toMatchObject({ input_tokens: 11, output_tokens: 7 })
      })
    })
  })

  test('runs a streamed tool loop through every vendor', async () => {
    await checkTable(callers, async (model) => {
      const chat = open(model, false)
      const read = async (messages: Parameters<typeof chat.stream>[0]) => {
        const pieces = await Array.fromAsync(await chat.stream(messages))
        return pieces.reduce((whole, piece) => whole.concat(piece))
      }
      await expectTwoAnswers(async () => {
        const question = new HumanMessage('weather?')
        const asked = await read([question])
        const [call] = asked.tool_calls ?? []
        expect(call).toMatchObject({ name: 'weather', args: { city: 'Rome' } })
        const result = new ToolMessage({ content: 'sunny', tool_call_id: call?.id ?? '' })
        expect((await read([question, asked, result])).text).toBe('The tool said: sunny')
      })
    })
  })

  test.each(['claude-sonnet-5', 'gemini-3-flash', 'gpt-5-mini'])(
    'runs a tool loop on responses through %s',
    async (model) => {
      const chat = open(model, true)
      await expectTwoAnswers(async () => {
        const question = new HumanMessage('weather?')
        const asked = await chat.invoke([question])
        const [call] = asked.tool_calls ?? []
        const result = new ToolMessage({ content: 'sunny', tool_call_id: call?.id ?? '' })
        expect((await chat.invoke([question, asked, result])).text).toBe('The tool said: sunny')
      })
    },
  )
})
