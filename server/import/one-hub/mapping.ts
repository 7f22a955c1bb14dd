import { readMapping } from '#server/import/vendor-names.ts'

/** A mapping of one-hub: a + before the target says that the name asked for is billed, not the target. */
export interface HubMapping {
  /** As ours: JSON without the marks, or what was there when it is no such object. */
  readonly json: string
  billed(model: string): string
}

export function mappingOf(text: string): HubMapping {
  const own = readMapping(text)
  if (own === null) return { json: text, billed: (model) => model }
  const targets = [...own].map(([from, to]) => [from, to.replace(/^\+/, '')] as const)
  return {
    json: targets.length === 0 ? '' : JSON.stringify(Object.fromEntries(targets)),
    billed(model) {
      const target = own.get(model) ?? ''
      return target === '' || target.startsWith('+') ? model : target
    },
  }
}
