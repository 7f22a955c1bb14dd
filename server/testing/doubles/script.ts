/** What a double understood of a request, whatever its protocol. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
  /** The last thing the user said. */
  readonly text: string
  readonly tools: readonly string[]
  readonly toolResults: readonly string[]
  readonly sawImage: boolean
}

export type Reply =
  | { readonly kind: 'text'; readonly pieces: readonly string[] }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly arguments: { readonly city: string } }
  | { readonly kind: 'error'; readonly status: number; readonly message: string }

/** What every double reports for every answer. */
export const doubleUsage = { input: 11, output: 7 }

export const doubleVector = [0.5, -1]

function errorWanted(asked: Asked): number | undefined {
  const wish = [asked.model, asked.text].map((word) => /^error-(\d{3})$/.exec(word)?.[1]).find(Boolean)
  return wish === undefined ? undefined : Number(wish)
}

function textOf(asked: Asked): string {
  const seen = asked.sawImage ? 'I see an image. ' : ''
  if (asked.toolResults.length > 0) return `${seen}The tool said: ${asked.toolResults.join(', ')}`
  return `${seen}You said: ${asked.text}`
}

/**
 * The same behaviour behind every protocol: an error for the model or message `error-<status>`, a call of the first tool while
 * there is no result of one, else the user's words back.
 */
export function replyTo(asked: Asked): Reply {
  const status = errorWanted(asked)
  if (status !== undefined) return { kind: 'error', status, message: `as you wish: ${status}` }
  const [name] = asked.tools
  if (name !== undefined && asked.toolResults.length === 0)
    return { kind: 'call', id: 'call_double1', name, arguments: { city: 'Rome' } }
  return { kind: 'text', pieces: textOf(asked).split(/(?<= )/) }
}
