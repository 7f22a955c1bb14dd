import { expect, spyOn, test } from 'bun:test'
import { chatAnswer } from '#server/testing/fake-upstream.ts'
import { startRelayScene } from '#server/testing/relay-scene.ts'
import { jobs } from './jobs.ts'

test('a node whose clock was ahead and is right again warns of the budgets it took along, without a restart', async () => {
  const scene = await startRelayScene()
  const { ctx, time } = scene.app
  const warned = spyOn(ctx.log, 'warn')
  const job = jobs.find(({ name }) => name === 'warn-of-clock')
  await scene.channel(chatAnswer('hello', { prompt_tokens: 10, completion_tokens: 5 }))
  await scene.bill(() => scene.chat())
  await job?.run(ctx)
  expect(warned).not.toHaveBeenCalled()

  time.now = Date.now() + 40 * 86_400_000
  await scene.bill(() => scene.chat())
  time.now = null
  await job?.run(ctx)
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('return-budgets'))
  await scene.stop()
})
