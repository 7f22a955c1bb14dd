/** Names of models that answer something else than a chat. */
const otherWork =
  /embed|rerank|whisper|tts|audio|realtime|transcribe|moderation|dall-e|image|sora|veo|imagen|babbage|davinci|instruct|codex|search/i

/** Small models of the large vendors answer quickly and for little: a good first one. */
const goodFirst = [/^gpt-4o-mini$/, /^claude-.*haiku/, /^gemini-.*flash/, /^gpt/, /^claude/, /^gemini/] as const

/** Models to talk with, the best to begin with first; all of them where no name says that it can chat. */
export function chatModels(known: readonly string[]): string[] {
  const chatting = known.filter((name) => !otherWork.test(name))
  const rank = (name: string): number => {
    const at = goodFirst.findIndex((wanted) => wanted.test(name))
    return at < 0 ? goodFirst.length : at
  }
  return (chatting.length > 0 ? chatting : [...known]).toSorted((a, b) => rank(a) - rank(b))
}
