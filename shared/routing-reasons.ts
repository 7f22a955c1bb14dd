/** Why a channel stands where it stands, in one word for rows and in a sentence for people. */
export const sentences = {
  first: {
    weight: 'highest priority, chosen by weight',
    only: 'the only one of the highest priority',
    cost: 'the cheapest of the highest priority',
    latency: 'the fastest of the highest priority',
    sticky: 'the conversation began here',
    pinned: 'the caller named it',
  },
  reserve: {
    priority: 'lower priority: asked when those before it fail',
    weight: 'no weight beside weighted channels: asked when they fail',
    cost: 'dearer than the cheapest: asked when it fails',
    latency: 'slower than the fastest: asked when it fails',
    sticky: 'the conversation is elsewhere: asked when that fails',
  },
  out: {
    disabled: 'disabled',
    group: 'serves other groups',
    rest: 'resting after failures',
    limit: 'at its limit',
    price: 'the model has no price through it',
    tools: 'the model takes these tools in an API the channel does not have',
    operation: 'does not offer this operation',
    token: 'the token is limited to other models',
  },
} as const

export type StandingState = keyof typeof sentences

export type Standing = {
  [State in StandingState]: { readonly state: State; readonly reason: keyof (typeof sentences)[State] }
}[StandingState]

export const sentenceOf = ({ state, reason }: { readonly state: string; readonly reason: string }): string =>
  (sentences as Record<string, Record<string, string>>)[state]?.[reason] ?? reason

const letters = { first: 'f', reserve: 'r', out: 'o' } as const
const states: Readonly<Record<string, StandingState>> = { f: 'first', r: 'reserve', o: 'out' }

/** Where channels stood, as short as a row of the log wants it: `3f:weight,5-9o:rest`. Neighbours in the same place share an entry. */
export function writeStandings(standings: Iterable<readonly [channelId: number, standing: Standing]>): string {
  const runs: { readonly from: number; to: number; readonly place: string }[] = []
  for (const [id, { state, reason }] of standings) {
    const place = `${letters[state]}:${reason}`
    const last = runs.at(-1)
    if (last && last.place === place && last.to + 1 === id) last.to = id
    else runs.push({ from: id, to: id, place })
  }
  return runs.map(({ from, to, place }) => (from === to ? `${from}${place}` : `${from}-${to}${place}`)).join(',')
}

/** The same in words. */
export function readStandings(text: string): { channel_id: number; state: string; reason: string }[] {
  return text.split(',').flatMap((entry) => {
    const [, from = '', to = from, letter = '', reason = ''] = /^(\d+)(?:-(\d+))?([fro]):(\w+)$/.exec(entry) ?? []
    const state = states[letter]
    if (state === undefined) return []
    const sentence = sentenceOf({ state, reason })
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => ({
      channel_id: Number(from) + at,
      state,
      reason: sentence,
    }))
  })
}

/** The word behind a sentence, so that the console can say it in the reader's language. */
export function reasonOf(state: string, sentence: string): string | undefined {
  const known: Record<string, string> = (sentences as Record<string, Record<string, string>>)[state] ?? {}
  return Object.keys(known).find((reason) => known[reason] === sentence)
}
