import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import type { Reference, Unmade } from './reference.ts'

/** References for an id or a list of ids; values that are no text are ignored. */
export const foreign = (what: Unmade, ids: unknown, param: string): Reference[] =>
  [ids].flat().flatMap((id) => {
    const text = textOf(id)
    return text ? [{ kind: 'item', id: text, param, what }] : []
  })

/** Voices that somebody had made; the vendor's own are names, not ids. */
export const voices = (voice: unknown, param: string): Reference[] => foreign('voice', objectOf(voice)?.id, param)

/** A prompt kept by OpenAI, in a request or in a session. */
export const prompts = (prompt: unknown): Reference[] => foreign('prompt', objectOf(prompt)?.id ?? prompt, 'prompt')

/** References to custom skills. The vendors' own are recognised by their name (OpenAI) or type (Anthropic). */
export const skills = (list: unknown, param: string): Reference[] =>
  arrayOf(list).flatMap((entry) => {
    const { type, skill_id } = objectOf(entry) ?? {}
    const isVendors = type === 'anthropic' || (type === 'skill_reference' && textOf(skill_id)?.startsWith('openai-'))
    return isVendors ? [] : foreign('skill', skill_id, param)
  })

/** Every text inside a value, names of fields left out. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner)
}

/** What Google's own tools search through. */
export const inGoogleTools = (tools: unknown): Reference[] =>
  arrayOf(tools).flatMap((entry, at) => {
    const tool = objectOf(entry) ?? {}
    const searches = [tool.fileSearch, tool.file_search].map((search) => objectOf(search) ?? {})
    const stores = searches.flatMap((search) => [search.fileSearchStoreNames, search.file_search_store_names].flat())
    // Names of stores and engines are paths; the rest are settings.
    const kept = [...textsIn(tool.retrieval)].filter((text) => /^projects\//.test(text))
    return [
      ...foreign('file search store', stores, `tools[${at}].fileSearch`),
      ...foreign('data store', kept, `tools[${at}].retrieval`),
    ]
  })
