export interface ConnectParts {
  /** The address of the server, without `/v1`. */
  server: string
  key: string
  model: string
  /** For small tasks, where a client asks for such a model by itself. */
  smallModel: string
  /** Whose shell it is for. */
  system: ShellSystem
}

export const shellSystems = ['unix', 'windows'] as const
export type ShellSystem = (typeof shellSystems)[number]

export interface ConnectStep {
  /** Key of its words in the locale's `connect.steps`. */
  words: 'shell' | 'codexFile' | 'geminiFile' | 'start' | 'install' | 'cursor' | 'cline' | 'run'
  /** What differs between shells. */
  ofShell?: true
  text: (parts: ConnectParts) => string
}

export interface ConnectClient {
  name: string
  /** A model of this family is offered first. */
  prefers: RegExp
  /** It also asks for a small model. */
  needsSmall?: true
  steps: readonly ConnectStep[]
}

/** Variables of the environment, as the shell of the system sets them. */
const variables = (system: ShellSystem, values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => (system === 'windows' ? `$env:${name} = "${value}"` : `export ${name}="${value}"`))
    .join('\n')

const openAiPython = ({ server, key, model }: ConnectParts) => `from openai import OpenAI

client = OpenAI(base_url="${server}/v1", api_key="${key}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`

const anthropicPython = ({ server, key, model }: ConnectParts) => `from anthropic import Anthropic

client = Anthropic(base_url="${server}", api_key="${key}")
answer = client.messages.create(
    model="${model}",
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.content[0].text)`

const openAiTypeScript = ({ server, key, model }: ConnectParts) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${server}/v1', apiKey: '${key}' })
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`

const anthropicTypeScript = ({ server, key, model }: ConnectParts) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${server}', apiKey: '${key}' })
const answer = await client.messages.create({
  model: '${model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.content)`

const claude = /^claude/
const gpt = /^(gpt|o\d)/
const gemini = /^gemini/

/** Every client with its ready texts. Adding one is one entry. */
export const connectClients: readonly ConnectClient[] = [
  {
    name: 'Claude Code',
    prefers: claude,
    needsSmall: true,
    steps: [
      {
        words: 'shell',
        ofShell: true,
        text: ({ server, key, model, smallModel, system }) =>
          variables(system, {
            ANTHROPIC_BASE_URL: server,
            ANTHROPIC_AUTH_TOKEN: key,
            ANTHROPIC_MODEL: model,
            ANTHROPIC_SMALL_FAST_MODEL: smallModel,
          }),
      },
      { words: 'start', text: () => 'claude' },
    ],
  },
  {
    name: 'Codex CLI',
    prefers: gpt,
    steps: [
      {
        words: 'codexFile',
        text: ({ server, model }) => `model = "${model}"
model_provider = "switchyard"

[model_providers.switchyard]
name = "Switchyard"
base_url = "${server}/v1"
env_key = "SWITCHYARD_KEY"
wire_api = "responses"`,
      },
      { words: 'shell', ofShell: true, text: ({ key, system }) => variables(system, { SWITCHYARD_KEY: key }) },
      { words: 'start', text: () => 'codex' },
    ],
  },
  {
    name: 'Gemini CLI',
    prefers: gemini,
    steps: [
      // Beside an address of one's own it does not find out by itself how to sign in.
      { words: 'geminiFile', text: () => '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }' },
      {
        words: 'shell',
        ofShell: true,
        text: ({ server, key, system }) => variables(system, { GOOGLE_GEMINI_BASE_URL: server, GEMINI_API_KEY: key }),
      },
      { words: 'start', text: ({ model }) => `gemini -m ${model}` },
    ],
  },
  {
    name: 'Cursor',
    prefers: gpt,
    steps: [
      {
        words: 'cursor',
        text: ({ server, key, model }) => `OpenAI API Key: ${key}
Override OpenAI Base URL: ${server}/v1
Model: ${model}`,
      },
    ],
  },
  {
    name: 'Cline',
    prefers: claude,
    steps: [
      {
        words: 'cline',
        text: ({ server, key, model }) => `API Provider: OpenAI Compatible
Base URL: ${server}/v1
API Key: ${key}
Model ID: ${model}`,
      },
    ],
  },
  {
    name: 'Python',
    prefers: gpt,
    steps: [
      { words: 'install', text: () => 'pip install openai' },
      { words: 'run', text: openAiPython },
      { words: 'install', text: () => 'pip install anthropic' },
      { words: 'run', text: anthropicPython },
    ],
  },
  {
    name: 'TypeScript',
    prefers: gpt,
    steps: [
      { words: 'install', text: () => 'npm install openai' },
      { words: 'run', text: openAiTypeScript },
      { words: 'install', text: () => 'npm install @anthropic-ai/sdk' },
      { words: 'run', text: anthropicTypeScript },
    ],
  },
  {
    name: 'curl',
    prefers: gpt,
    steps: [
      {
        words: 'run',
        text: ({ server, key, model }) => `curl ${server}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
      },
    ],
  },
]
