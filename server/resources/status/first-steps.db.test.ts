import { expect, test } from 'bun:test'
import { borrowApp } from '#server/testing/borrow-app.ts'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { startRelayScene } from '#server/testing/relay-scene.ts'
import { signIn } from '#server/testing/sign-in.ts'
import { api } from '#shared/api/all.ts'

test('an empty installation has everything before it, and only administrators may read it', async () => {
  const app = await borrowApp()
  const root = await app.root()
  expect(await root.call(api.status.firstSteps, {})).toMatchObject({
    channel_added: false,
    channel_tested: false,
    token_created: false,
    request_answered: false,
  })
  expect((await (await signIn(app)).raw(api.status.firstSteps, {})).status).toBe(403)
  await app.stop()
})

test('each step is done when its data is there', async () => {
  const scene = await startRelayScene()
  const steps = () => scene.root.call(api.status.firstSteps, {})
  expect(await steps()).toMatchObject({ channel_added: false, token_created: true, request_answered: false })
  const { id } = await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  expect(await steps()).toMatchObject({ channel_added: true, channel_tested: false })
  await scene.root.call(api.channels.test, { id })
  await scene.chat()
  expect(await steps()).toMatchObject({ channel_tested: true, request_answered: true })
  await scene.stop()
})
