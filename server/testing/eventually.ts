const timeoutMs = 15_000
const pauseMs = 20

/** Asks until the answer is as wished; fails with the last answer when it never is. */
export async function eventually<Answer>(
  ask: () => Promise<Answer> | Answer,
  isWished: (answer: Answer) => boolean,
  withinMs = timeoutMs,
): Promise<Answer> {
  const until = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (isWished(answer)) return answer
    if (Date.now() > until) throw new Error(`still ${JSON.stringify(answer)} after ${withinMs} ms`)
    await Bun.sleep(pauseMs)
  }
}
