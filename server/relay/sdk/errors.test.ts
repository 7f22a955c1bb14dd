import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import OpenAI from 'openai'
import { expectFree, expectUntouched } from '#server/testing/expect-charge.ts'
import { errorAnswer } from '#server/testing/fake-upstream.ts'
import { type SdkClients, sdkClients } from '#server/testing/sdk-clients.ts'
import { type Driver, drivers, type Question } from '#server/testing/sdk-drivers.ts'
import { startVendorScene, type VendorScene, vendorName, vendors } from '#server/testing/vendor-scene.ts'
import { api } from '#shared/api/all.ts'
import { checkTable } from '#shared/testing/table.ts'

let scene: VendorScene
let clients: SdkClients
beforeAll(async () => {
  scene = await startVendorScene()
  await scene.everyVendor()
  clients = sdkClients(scene.app.url, scene.key)
})
afterAll(() => scene.stop())

type ErrorClass = abstract new (...args: never[]) => Error & { status?: number | undefined }

/** The class a vendor's client throws for a status; the general one where it has none of its own. */
function classesOf(sdk: typeof OpenAI | typeof Anthropic): Record<number, ErrorClass> {
  return {
    400: sdk.BadRequestError,
    401: sdk.AuthenticationError,
    402: sdk.APIError,
    404: sdk.NotFoundError,
    429: sdk.RateLimitError,
    500: sdk.InternalServerError,
    502: sdk.InternalServerError,
  }
}

const google = Object.fromEntries([400, 401, 402, 404, 429, 500, 502].map((status) => [status, ApiError]))

const classes: Record<keyof typeof drivers, Record<number, ErrorClass>> = {
  'the openai client': classesOf(OpenAI),
  'the openai client on responses': classesOf(OpenAI),
  'the anthropic client': classesOf(Anthropic),
  'the google client': google,
}

const names = Object.keys(drivers) as (keyof typeof drivers)[]

describe.each(names)('%s', (name) => {
  const driver: Driver = drivers[name]

  /** The error a question ends with, checked for its class, its status and the number of the request. */
  const failing = async (status: number, question: Question, by = clients) => {
    const error = await driver.ask(by, question).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    const expected = classes[name][status]
    if (!expected || !(error instanceof expected)) throw new Error(`not the error that was expected: ${error}`)
    // Vendors whose errors are numbers of their own mean an overload where others say 500.
    if (status === 500) expect([500, 503]).toContain(error.status ?? 0)
    else expect(error.status).toBe(status)
    return error
  }
  const failed = async (status: number, question: Question) => {
    const error = await failing(status, question)
    const [row] = (await scene.books()).rows
    expect(error.message).toContain(row?.request_id ?? 'no row')
    return error
  }

  test('throws its own errors for those of every vendor, and pays nothing', async () => {
    const cells = vendors.flatMap((vendor) =>
      [false, true].flatMap((stream) =>
        [400, 429, 500].map((status) => {
          const name = `${status} of ${vendorName(vendor)}, streaming ${stream}`
          return [name, { model: vendor.model, stream, status }] as const
        }),
      ),
    )
    await checkTable(cells, async ({ model, stream, status }) => {
      const bill = await scene.bill(async () => {
        const error = await failed(status, { model, stream, text: `error-${status}` })
        expect(error.message).toContain(`as you wish: ${status}`)
      })
      expectFree(bill, { outcome: 'failed', model_name: model })
    })
  })

  const plain = { model: 'gpt-5-mini', text: 'hi', stream: false }

  test('throws its own error for a wrong key', async () => {
    const bill = await scene.bill(async () => {
      const error = await failing(401, plain, sdkClients(scene.app.url, 'sk-wrong'))
      expect(error.message).toMatch(/request.id/)
      expect(error.message).not.toContain('sk-wrong')
    })
    expectUntouched(bill)
  })

  test('throws its own error when the money is not enough', async () => {
    const { key, id } = await scene.user.call(api.tokens.create, { name: 'poor', remain_quota: 1 })
    const bill = await scene.bill(() => failing(402, plain, sdkClients(scene.app.url, `sk-${key}`)))
    expectUntouched(bill)
    await scene.user.call(api.tokens.remove, { id })
  })

  test('throws its own error for a model nobody has', async () => {
    const error = await failing(404, { ...plain, model: 'no-such-model' })
    expect(error.message).toContain('no-such-model')
    expect(error.message).toMatch(/request.id/)
  })

  test.each([1, 14, 24])('never sees address or key of a channel of type %d', async (type) => {
    const complaint =
      'Incorrect API key provided: sk-upstream-secret-1234. See https://upstream.example/keys or 10.1.2.3:80'
    const settings = { type, name: `${name}-${type}`, models: 'leaky', key: 'sk-upstream-secret-1234' }
    await scene.price('leaky')
    const channel = await scene.channel(
      [errorAnswer(400, { message: complaint }), errorAnswer(401, { message: complaint })],
      settings,
    )
    const shown = await failed(400, { ...plain, model: 'leaky' })
    const refused = await failed(502, { ...plain, model: 'leaky' })
    for (const { message } of [shown, refused])
      expect(message).not.toMatch(/sk-upstream|upstream\.example|10\.1\.2\.3|127\.0\.0\.1/)
    await scene.root.call(api.channels.remove, { id: channel.id })
  })
})

test("the number of the request is where Anthropic's and OpenAI's clients look for it", async () => {
  const question = { model: 'no-such-model', messages: [{ role: 'user' as const, content: 'hi' }] }
  const thrown = (error: unknown) => error
  const asAnthropic = await clients.anthropic.messages.create({ ...question, max_tokens: 5 }).catch(thrown)
  const asOpenai = await clients.openai.chat.completions.create(question).catch(thrown)
  expect(asAnthropic).toMatchObject({ requestID: expect.stringMatching(/^\w{20,}$/) })
  expect(asOpenai).toMatchObject({ requestID: expect.stringMatching(/^\w{20,}$/) })
})

describe('a Spark channel', () => {
  const ask = async (key: string, base_url: string) => {
    await scene.price('spark-broken')
    const channel = await scene.channel(() => new Response(), {
      type: 18,
      name: key,
      models: 'spark-broken',
      key,
      base_url,
    })
    const response = await scene.chat({ model: 'spark-broken' })
    await scene.root.call(api.channels.remove, { id: channel.id })
    return { status: response.status, text: await response.text() }
  }

  test('whose key is refused counts as one with dead credentials', async () => {
    const { url } = await scene.vendor('spark', 18, 'spark-again')
    const { status, text } = await ask('app|secret|wrong', url)
    expect(status).toBe(502)
    expect(text).toContain('The upstream refused the channel')
  })

  test('that cannot be reached says so', async () => {
    const { status, text } = await ask('app|secret|key', 'ws://127.0.0.1:1')
    expect(status).toBe(503)
    expect(text).toContain('Spark did not accept the connection')
  })
})

test.each(['/v1beta/models/%ZZ:generateContent', '/v1/models/%ZZ'])(
  'a path that cannot be read is not found: %s',
  async (path) => {
    const method = path.startsWith('/v1beta') ? 'POST' : 'GET'
    const response = await fetch(scene.app.url + path, {
      method,
      headers: { authorization: `Bearer ${scene.key}` },
      ...(method === 'POST' ? { body: '{"contents":[{"parts":[{"text":"hi"}]}]}' } : {}),
    })
    expect(response.status).toBe(404)
  },
)
