/** An API of OpenAI's by which a conversation can be asked for. */
export type OpenaiApi = 'chat' | 'responses'

/** When a model takes tools in chat: always, without an effort, with the effort `none` alone, or never. */
export type ToolsInChat = 'always' | 'without_effort' | 'only_none' | 'never'

export interface ApiFacts {
  readonly apis: readonly OpenaiApi[]
  readonly toolsInChat: ToolsInChat
}

export type ApiRow = ApiFacts & { readonly models: RegExp }

const both: readonly OpenaiApi[] = ['chat', 'responses']

/** As of 2026-11-19. The first row that names a model counts; a model that none names takes tools in chat. */
export const apiRows: readonly ApiRow[] = [
  { models: /-chat/, apis: both, toolsInChat: 'always' },
  {
    models: /^(?=gpt-|o\d|codex|computer-use).*(-pro|codex|deep-research|computer-use)/,
    apis: ['responses'],
    toolsInChat: 'never',
  },
  { models: /^gpt-5\.[45](?!\d)/, apis: both, toolsInChat: 'without_effort' },
  { models: /^gpt-(5\.6(?!\d)|6-sol|6-luna)/, apis: both, toolsInChat: 'only_none' },
  { models: /^gpt-(6-astra|6\.1(?!\d))/, apis: both, toolsInChat: 'never' },
]

export const otherModels: ApiFacts = { apis: both, toolsInChat: 'always' }
