import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startRelayScene } from '#server/testing/relay-scene.ts'
import { askEverything, type ShownAnswer } from './every-answer.ts'
import { requiredFields } from './required-fields.ts'

/** Answers of the relay that the strict clients have read without a complaint, one of each structure on a line. */
async function accepted(): Promise<ShownAnswer[]> {
  const text = await Bun.file(join(import.meta.dir, 'accepted-answers.jsonl')).text()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function faultsIn(answers: readonly ShownAnswer[]): string[] {
  return answers.flatMap(({ name, shape, body }) => {
    const { error } = requiredFields[shape].safeParse(body)
    return error ? [`${name}, ${shape}: ${error.message} in ${JSON.stringify(body)}`] : []
  })
}

const shapesOf = (answers: readonly ShownAnswer[]) => new Set(answers.map(({ shape }) => shape))

test('answers that strict clients accepted have every field that is required here', async () => {
  expect(faultsIn(await accepted())).toEqual([])
})

test('every answer of the relay has the fields that strict clients require', async () => {
  const scene = await startRelayScene({ quota: 1_000_000_000, tokenQuota: 1_000_000_000 })
  try {
    const answers = await askEverything(scene)
    expect(faultsIn(answers)).toEqual([])
    expect(shapesOf(answers)).toEqual(shapesOf(await accepted()))
  } finally {
    await scene.stop()
  }
}, 30_000)
