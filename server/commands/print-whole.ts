import { Refusal } from '#server/process/refusal.ts'

/**
 * Prints what must arrive: the program ends with the command, and what a pipe has not taken by then is lost. Where it cannot be
 * printed, `refusal` says what that means.
 */
export async function printWhole(text: string, refusal: (reason: string) => string): Promise<void> {
  const written = Promise.withResolvers<void>()
  process.stdout.once('error', written.reject)
  process.stdout.write(text, (error) => (error ? written.reject(error) : written.resolve()))
  await written.promise.catch((error: Error) => {
    throw new Refusal(refusal(error.message))
  })
}
