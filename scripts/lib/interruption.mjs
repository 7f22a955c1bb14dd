let interrupted = false

/** From here on a person's signal ends what runs at the moment, and is remembered. */
export function noticeInterruption() {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      interrupted = true
    })
  }
}

export const isInterrupted = () => interrupted
