import type { Ask, JsonBody } from '#server/relay/request/ask.ts'

const fallbacksMax = 10
const none: readonly string[] = []

/** The models tried in place of one, in order, with the fallbacks of its fallbacks. */
export function fallbacksOf(fallbacks: Readonly<Record<string, readonly string[]>>, model: string): readonly string[] {
  if (!Object.hasOwn(fallbacks, model)) return none
  const found = new Set<string>()
  const visit = (name: string) => {
    if (!Object.hasOwn(fallbacks, name)) return
    for (const next of fallbacks[name] ?? []) {
      if (next === model || found.has(next) || found.size >= fallbacksMax) continue
      found.add(next)
      visit(next)
    }
  }
  visit(model)
  return [...found]
}

/** The same ask for another model. */
export async function withModel(ask: Ask, model: string): Promise<Ask> {
  const { payload, entrance } = ask
  if (payload.kind === 'form') {
    const form = new FormData()
    for (const [name, value] of payload.form) if (name !== 'model') form.append(name, value)
    form.set('model', model)
    const encoded = await new Response(form).blob()
    return {
      ...ask,
      model,
      payload: { kind: 'form', bytes: await encoded.arrayBuffer(), contentType: encoded.type, form },
    }
  }
  const body: JsonBody = { ...payload.body, model }
  const named = entrance.model === undefined ? entrance : { ...entrance, model }
  return { ...ask, model, entrance: named, payload: { kind: 'json', text: bodyText(ask, body), body } }
}

/** Where the path names the model, the client's own bytes stay. */
const bodyText = ({ entrance, payload }: Ask, body: JsonBody): string =>
  entrance.model !== undefined && payload.kind === 'json' ? payload.text : JSON.stringify(body)
