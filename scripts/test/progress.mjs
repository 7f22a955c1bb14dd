const everyMs = 10_000

/** Shows how far a suite is: one line that is written anew on a terminal, a line now and then elsewhere. */
export function createProgress(title, stream = process.stderr) {
  const began = Date.now()
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`
  let state = 'starting'
  const line = () => `== ${title}: ${state}, ${seconds()}`
  const clear = () => stream.isTTY && stream.write('\r\u001b[2K')
  const draw = () => stream.isTTY && stream.write(line().slice(0, (stream.columns ?? 80) - 1))
  const timer = setInterval(
    () => {
      if (!stream.isTTY) stream.write(`${line()}\n`)
      clear()
      draw()
    },
    stream.isTTY ? 500 : everyMs,
  )
  return {
    set(next) {
      state = next
    },
    /** Text that stays. */
    print(text) {
      clear()
      stream.write(text)
      draw()
    },
    end(last) {
      clearInterval(timer)
      clear()
      stream.write(`== ${title}: ${last} in ${seconds()}\n`)
    },
  }
}
