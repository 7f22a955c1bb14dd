import type { ChatAsk } from './chat-stream.ts'

export interface SnippetParts {
  /** The address of the server, without `/v1`. */
  server: string
  key: string
  ask: Omit<ChatAsk, 'stream'>
}

const indented = (value: unknown, spaces: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`)

const python = (value: unknown): string =>
  indented(value, 4)
    .replace(/\btrue\b/g, 'True')
    .replace(/\bfalse\b/g, 'False')

/** The same chat in the languages people write. Adding one is one line. */
export const snippets = {
  curl: ({ server, key, ask }: SnippetParts) => `curl ${server}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(ask, null, 2).replaceAll("'", `'\\''`)}'`,
  Python: ({ server, key, ask }: SnippetParts) => `from openai import OpenAI

client = OpenAI(base_url="${server}/v1", api_key="${key}")

answer = client.chat.completions.create(
${Object.entries(ask)
  .map(([name, value]) => `    ${name}=${python(value)},`)
  .join('\n')}
)
print(answer.choices[0].message.content)`,
  TypeScript: ({ server, key, ask }: SnippetParts) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${server}/v1', apiKey: '${key}' })

const answer = await client.chat.completions.create(${indented(ask, 0)})
console.log(answer.choices[0].message.content)`,
} as const

export type SnippetName = keyof typeof snippets
