import { type OptionKey, options } from '#shared/options.ts'
import { locale } from '#web/lib/i18n.ts'
import { issueText } from '#web/lib/messages.ts'
import type { StoredOptions } from '#web/state/queries/option-queries.ts'

export type EditedOptions = Readonly<Partial<Record<OptionKey, string>>>

const isJson = (key: OptionKey): boolean => options[key].kind === 'json'

/** One name a line, so that ratios can be read; an empty object is shown as empty. */
function readableJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === '{}' ? '' : JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}

/** How a stored option stands in its field. Secrets are never sent, so theirs are empty. */
export function shownText(key: OptionKey, stored: StoredOptions): string {
  const text = stored[key] ?? ''
  return isJson(key) ? readableJson(text) : text
}

export const textOf = (key: OptionKey, stored: StoredOptions, draft: EditedOptions): string =>
  draft[key] ?? shownText(key, stored)

/** Saved only when changed; a secret only when it is not empty. */
export const isChanged = (key: OptionKey, stored: StoredOptions, draft: EditedOptions): boolean =>
  draft[key] !== undefined && draft[key] !== shownText(key, stored)

/** What an option is called, and its line of help. English stands on the row. */
export const optionWords = (key: OptionKey): { label: string; help: string } => locale().options[key] ?? options[key]

/** What is wrong with a text, in the reader's words. */
export function optionProblem(key: OptionKey, text: string): string | null {
  const issue = options[key].schema.safeParse(text).error?.issues[0]
  return issue ? issueText(issue, { option: optionWords(key).label }) : null
}

/** An emptied JSON field is an empty object. */
export const sentText = (key: OptionKey, text: string): string => (isJson(key) && text.trim() === '' ? '{}' : text)

const isSwitch = (key: OptionKey): boolean => options[key].kind === 'check'

/** Off first and on last: the server refuses a switch without its texts, and takes away none that a switch needs. */
export const inSavingOrder = (keys: readonly OptionKey[], text: (key: OptionKey) => string): OptionKey[] => {
  const turnOf = (key: OptionKey) => (!isSwitch(key) ? 1 : text(key) === 'true' ? 2 : 0)
  return [...keys].sort((a, b) => turnOf(a) - turnOf(b))
}
