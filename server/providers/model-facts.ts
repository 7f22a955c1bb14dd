import { memoize } from '#server/lib/memoize.ts'
import { modelRows, type Row } from './model-rows.ts'

/** What a model can take and give, as its vendor says. The price of it stands in the price lists. */
export interface ModelFacts {
  /** The longest input, in tokens. */
  readonly context: number
  /** The longest answer, in tokens; null when nobody says. */
  readonly maxOutput: number | null
  /** Kinds of input beside text. */
  readonly input: readonly InputKind[]
  readonly features: readonly Feature[]
}

const inputKinds = ['image', 'audio', 'video', 'pdf'] as const
type InputKind = (typeof inputKinds)[number]

const features = ['tools', 'reasoning', 'json', 'cache'] as const
type Feature = (typeof features)[number]

function factsOf([context, maxOutput, abilities]: Row): ModelFacts {
  const known = new Set(abilities.split(' '))
  return {
    context,
    maxOutput,
    input: inputKinds.filter((kind) => known.has(kind)),
    features: features.filter((feature) => known.has(feature)),
  }
}

const table: ReadonlyMap<string, ModelFacts> = new Map(
  modelRows.flatMap((row) => {
    const facts = factsOf(row)
    return row[3].split(' ').map((model): [string, ModelFacts] => [model, facts])
  }),
)

/** Bedrock says where a model runs, who made it and which version of it this is. */
const onBedrock = /^(?:[a-z]+\.)?(?:amazon|anthropic|openai)\.(.+?)(?:-v\d+)?(?:(?:-\d)?:\d+)?$/

/** The name itself, without the snapshot's date, without the vendor before it, with dashes for dots, and with the dot Azure leaves out. */
function namesOf(model: string): string[] {
  const plain = (onBedrock.exec(model)?.[1] ?? model).replace(/-internet$/, '')
  const dateless = plain.replace(/[-@](\d{4}-\d{2}-\d{2}|\d{8}|default)$/, '')
  const bare = dateless.slice(dateless.lastIndexOf('/') + 1).replace(/:\w+$/, '')
  return [plain, dateless, bare, bare.replaceAll('.', '-'), bare.replace(/^gpt-(\d)(?=\d(?!\d))/, 'gpt-$1.')]
}

/** What the newest of a family had, for names that came later. */
const families: readonly (readonly [RegExp, Row])[] = [
  [/^(gpt-[5-9]|gpt-[12]\d|o\d|codex)/, [1_050_000, 128_000, 'image pdf tools reasoning json cache', '']],
  [/^gpt-oss/, [131_072, 32_766, 'tools reasoning json', '']],
  [/^gpt-4/, [128_000, 16_384, 'image tools json', '']],
  [/^claude-/, [1_000_000, 64_000, 'image pdf tools reasoning json cache', '']],
  [/^gemini-/, [1_048_576, 65_536, 'image audio video pdf tools reasoning json cache', '']],
  [/^grok-/, [2_000_000, 131_072, 'image tools reasoning json cache', '']],
  [/^(deepseek|kimi|glm-[5-9]|MiniMax)/, [262_144, 65_536, 'tools reasoning json cache', '']],
  [/^qwen/, [262_144, 32_768, 'tools reasoning json', '']],
]

const namedMax = 5000
const described = memoize(namedMax, (model: string) => ({ facts: look(model) }))

/** Null for a model nobody described. */
export const modelFacts = (model: string): ModelFacts | null => table.get(model) ?? described(model).facts

function look(model: string): ModelFacts | null {
  const names = namesOf(model)
  for (const name of names) {
    const facts = table.get(name)
    if (facts) return facts
  }
  const family = families.find(([pattern]) => names.some((name) => pattern.test(name)))
  return family ? factsOf(family[1]) : null
}
