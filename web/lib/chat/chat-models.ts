/** Names of models that answer something else than a chat: numbers, sound, pictures and films, or a text that goes on. */
const otherWork = new RegExp(
  [
    /embed|rerank|similarity|moderation|guard|(?:^|[/-])(?:bge|m3e)-|(?<!re)search|\bocr\b/,
    /whisper|tts|audio|speech|realtime|transcribe|\basr\b|music|lyria/,
    /image|dall-e|cogview|wanx|flux|stable-diffusion|seedream|video|sora|veo|\bwan\d|seedance|kling/,
    /babbage|davinci|text-(?:ada|curie)|gpt-3\.5-turbo-instruct/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

/** Small models of the large vendors answer quickly and for little: a good first one. */
const goodFirst = [
  /^gpt-4o-mini$/,
  /^claude-.*haiku/,
  /^gemini-.*flash/,
  /^gpt(?!.*codex)/,
  /^claude/,
  /^gemini/,
] as const

/** All of them where no name says that it can chat. */
function thoseThatChat(known: readonly string[]): readonly string[] {
  const chatting = known.filter((name) => !otherWork.test(name))
  return chatting.length > 0 ? chatting : known
}

/** Models to talk with, the best to begin with first. */
export function chatModels(known: readonly string[]): string[] {
  const rank = (name: string): number => {
    const at = goodFirst.findIndex((wanted) => wanted.test(name))
    return at < 0 ? goodFirst.length : at
  }
  return thoseThatChat(known).toSorted((a, b) => rank(a) - rank(b))
}

const smallModel = /mini|nano|lite|flash|haiku|small|fast|turbo|instant/i
/** Made for one purpose, or much dearer than its siblings: nobody's first choice. */
const specialModel = /preview|vision|-pro\b|-oss|deep-research|thinking|distill|\d+k\b/i
const releaseDate = /-?(?:20\d{6}|20\d\d-\d\d-\d\d)/
const highestVersion = 20

/** The first number of a name that can be a version: 5.5 in `claude-opus-5-5`. */
function versionOf(name: string): number {
  const [, major = '0', minor = '0'] = /(\d+)(?:[.-](\d{1,2})(?!\w))?/.exec(name.replace(releaseDate, '')) ?? []
  const version = Number(`${major}.${minor}`)
  return version > highestVersion ? 0 : version
}

/** Models for a program that works on long tasks: the family it was made for, then full-size models, the newest first. */
export function workModels(known: readonly string[], preferred: RegExp): string[] {
  const rank = (name: string): number[] => [
    preferred.test(name) ? 0 : 1,
    smallModel.test(name) ? 1 : 0,
    specialModel.test(name) ? 1 : 0,
    -versionOf(name),
    name.length,
  ]
  const compare = (a: readonly number[], b: readonly number[]): number =>
    a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0
  return thoseThatChat(known).toSorted((a, b) => compare(rank(a), rank(b)))
}

/** The model such a program uses for its small tasks: a small one of the best family there is, else the one given. */
export const smallModelOf = (ranked: readonly string[], otherwise: string): string =>
  ranked.find((name) => smallModel.test(name)) ?? otherwise
