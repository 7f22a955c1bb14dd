import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Check = 'tools' | 'image' | 'pdf' | 'resume'
export const checks: readonly Check[] = ['tools', 'image', 'pdf', 'resume']

/** Where a client runs: its own folder, the relay and the files it is shown. */
export interface Place {
  readonly folder: string
  readonly drivers: string
  readonly base: string
  readonly key: string
  readonly png: string
  readonly pdf: string
}

export interface Step {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What the output of a command-line client must hold; drivers say it themselves. */
  readonly checks?: Readonly<Partial<Record<Check, RegExp>>>
}

export interface Client {
  readonly name: string
  readonly npm?: readonly string[]
  readonly pip?: readonly string[]
  /** Checks a client has no way to make, and why. */
  readonly lacks?: Readonly<Partial<Record<Check, string>>>
  steps(place: Place): readonly Step[]
}

const model = 'gpt-4o'

const driver =
  (file: string, more: Record<string, string> = {}) =>
  ({ drivers, folder, base, key, png, pdf }: Place): Step[] => {
    const env = { BASE: base, KEY: key, MODEL: model, PNG: png, PDF: pdf, ...more }
    const command = file.endsWith('.py')
      ? [join(folder, 'venv/bin/python'), join(drivers, file)]
      : ['node', join(folder, file)]
    return [{ command, env }]
  }

const aiSdk = (major: string, versions: readonly string[]): Client[] =>
  (['openai', 'anthropic', 'google'] as const).map((provider) => ({
    name: `Vercel AI SDK ${major}, ${provider}`,
    npm: versions,
    steps: driver('ai-sdk.mjs', { PROVIDER: provider }),
  }))

const python = (name: string, client: string, packages: readonly string[]): Client => ({
  name,
  pip: packages,
  steps: driver('python.py', { CLIENT: client }),
})

const noFlag = 'takes none on its command line'
const loop = (tool: string, args: (city: string) => object) =>
  ['one', 'two'].map((word) => `CALL ${tool} ${JSON.stringify(args(word))}`).join('\n')
const seen = { tools: /results:2/ }
const again = { resume: /turns:[1-9]/ }

function codexHome(folder: string, base: string): string {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  const provider = `name = "switchyard"\nbase_url = "${base}/v1"\nenv_key = "SWITCHYARD_KEY"\nwire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n`
  writeFileSync(join(home, 'config.toml'), `model_provider = "switchyard"\n[model_providers.switchyard]\n${provider}`)
  return home
}

const codex = (name: string, modelName: string, tool: string, args: (word: string) => object): Client => ({
  name,
  npm: ['@openai/codex'],
  lacks: { pdf: noFlag },
  steps({ folder, base, key, png }) {
    const env = { CODEX_HOME: codexHome(folder, base), SWITCHYARD_KEY: key }
    const run = [
      join(folder, 'node_modules/.bin/codex'),
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '-m',
      modelName,
    ]
    return [
      { command: [...run, loop(tool, args)], env, checks: seen },
      { command: [...run, 'resume', '--last', 'again'], env, checks: again },
      { command: [...run, '-i', png, '--', 'look'], env, checks: { image: /image:[1-9]/ } },
    ]
  },
})

export const clients: readonly Client[] = [
  { name: 'OpenAI SDK (Node), chat', npm: ['openai'], steps: driver('openai-chat.mjs') },
  { name: 'OpenAI SDK (Node), responses', npm: ['openai'], steps: driver('openai-responses.mjs') },
  { name: 'Anthropic SDK (Node), tool runner', npm: ['@anthropic-ai/sdk'], steps: driver('anthropic.mjs') },
  { name: 'Google GenAI SDK (Node)', npm: ['@google/genai'], steps: driver('google.mjs') },
  python('OpenAI SDK (Python)', 'openai', ['openai']),
  python('Anthropic SDK (Python)', 'anthropic', ['anthropic']),
  python('Google GenAI SDK (Python)', 'google', ['google-genai']),
  ...aiSdk('7', ['ai@7', '@ai-sdk/openai', '@ai-sdk/anthropic', '@ai-sdk/google']),
  ...aiSdk('6', ['ai@6', '@ai-sdk/openai@3', '@ai-sdk/anthropic@3', '@ai-sdk/google@3']),
  { name: 'LangChain', npm: ['@langchain/openai', '@langchain/core'], steps: driver('langchain.mjs') },
  { name: 'OpenAI Agents SDK', npm: ['@openai/agents', 'openai', 'zod'], steps: driver('openai-agents.mjs') },
  {
    name: 'Claude Code',
    npm: ['@anthropic-ai/claude-code'],
    lacks: { image: noFlag, pdf: noFlag },
    steps({ folder, base, key }) {
      const env = {
        HOME: folder,
        ANTHROPIC_BASE_URL: base,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_MODEL: 'claude-sonnet-4-5',
        ANTHROPIC_SMALL_FAST_MODEL: 'claude-sonnet-4-5',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        IS_SANDBOX: '1',
      }
      const run = [join(folder, 'node_modules/.bin/claude'), '-p', '--dangerously-skip-permissions']
      const calls = loop('Bash', (word) => ({ command: `echo ${word}`, description: 'say' }))
      return [
        { command: [...run, calls], env, checks: seen },
        { command: [...run, '--continue', 'again'], env, checks: again },
      ]
    },
  },
  codex('Codex, unknown model', 'claude-sonnet-4-5', 'exec_command', (word) => ({ cmd: `echo ${word}` })),
  codex('Codex, gpt-5.5', 'gpt-5.5', 'exec_command', (word) => ({ cmd: `echo ${word}` })),
  codex('Codex, gpt-6-sol', 'gpt-6-sol', 'exec', (word) => ({ input: `text("${word}")` })),
  {
    name: 'Gemini CLI',
    npm: ['@google/gemini-cli'],
    lacks: { image: noFlag, pdf: noFlag },
    steps({ folder, base, key }) {
      // Without this it stops and asks how to sign in.
      mkdirSync(join(folder, '.gemini'), { recursive: true })
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
      writeFileSync(join(folder, '.gemini', 'settings.json'), JSON.stringify(settings))
      const env = {
        HOME: folder,
        GEMINI_API_KEY: key,
        GOOGLE_GEMINI_BASE_URL: base,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      }
      const run = [join(folder, 'node_modules/.bin/gemini'), '-m', 'gemini-2.5-pro', '--yolo']
      const calls = loop('run_shell_command', (word) => ({ command: `echo ${word}` }))
      return [
        { command: [...run, '-p', calls], env, checks: seen },
        { command: [...run, '--resume', 'latest', '-p', 'again'], env, checks: again },
      ]
    },
  },
  {
    name: 'opencode',
    npm: ['opencode-ai'],
    lacks: { image: noFlag, pdf: noFlag },
    steps({ folder, base, key }) {
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        name: 'switchyard',
        options: { baseURL: `${base}/v1`, apiKey: key },
        models: { [model]: {} },
      }
      const config = {
        $schema: 'https://opencode.ai/config.json',
        provider: { switchyard: provider },
        permission: 'allow',
      }
      const env = { HOME: folder, OPENCODE_CONFIG_CONTENT: JSON.stringify(config), OPENCODE_DISABLE_AUTOUPDATE: '1' }
      const run = [join(folder, 'node_modules/.bin/opencode'), 'run', '-m', `switchyard/${model}`]
      const calls = loop('bash', (word) => ({ command: `echo ${word}`, description: 'say' }))
      return [
        { command: [...run, calls], env, checks: seen },
        { command: [...run, '--continue', 'again'], env, checks: again },
      ]
    },
  },
  {
    name: 'qwen-code',
    npm: ['@qwen-code/qwen-code'],
    lacks: { image: noFlag, pdf: noFlag },
    steps({ folder, base, key }) {
      const env = { HOME: folder, OPENAI_API_KEY: key, OPENAI_BASE_URL: `${base}/v1`, OPENAI_MODEL: model }
      const run = [join(folder, 'node_modules/.bin/qwen'), '--auth-type', 'openai', '--yolo']
      const calls = loop('run_shell_command', (word) => ({ command: `echo ${word}`, is_background: false }))
      return [
        { command: [...run, '-p', calls], env, checks: seen },
        { command: [...run, '--continue', '-p', 'again'], env, checks: again },
      ]
    },
  },
  {
    name: 'aider',
    pip: ['aider-chat==0.86.2'],
    lacks: { tools: 'edits by text, calls no tools' },
    steps({ folder, base, key, png, pdf }) {
      const env = { HOME: folder, OPENAI_API_KEY: key, OPENAI_API_BASE: `${base}/v1` }
      const plain = ['--no-git', '--yes', '--no-check-update', '--no-show-model-warnings', '--no-analytics']
      const run = [join(folder, 'venv/bin/aider'), '--model', `openai/${model}`, ...plain]
      return [
        { command: [...run, '--message', 'hello'], env },
        { command: [...run, '--restore-chat-history', '--message', 'again'], env, checks: again },
        { command: [...run, png, '--message', 'look'], env, checks: { image: /image:[1-9]/ } },
        { command: [...run, pdf, '--message', 'read'], env, checks: { pdf: /pdf:[1-9]/ } },
      ]
    },
  },
]
