/** An upstream broke the rules of HTTP: nothing more can be read from its connection. */
export class MalformedAnswer extends Error {}

export interface AnswerHead {
  readonly status: number
  /** What the upstream said under this name, given in lower case; null when it did not. */
  header(name: string): string | null
}

export interface HttpResponse extends AnswerHead {
  /** The pieces of the body as they arrive; either these or `text`, once. */
  next(): Promise<IteratorResult<Uint8Array>>
  text(): Promise<string>
}
