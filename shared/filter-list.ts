/** A name that is looked for, or left out. */
export interface FilterItem {
  readonly value: string
  readonly leaveOut: boolean
}

/** The names of a comma list, `!` before one that is left out. A sign behind a backslash is part of the name: `a\,b`, `\!a`. */
export const readFilterList = (text: string): FilterItem[] =>
  (text.match(/(?:\\.|[^,])+/gs) ?? [])
    .map((item) => item.trim())
    .filter((item) => item !== '' && item !== '!')
    .map((item) => ({ value: item.replace(/^!/, '').replace(/\\(.)/gs, '$1'), leaveOut: item.startsWith('!') }))

export const writeFilterList = (items: readonly FilterItem[]): string =>
  items.map(({ value, leaveOut }) => `${leaveOut ? '!' : ''}${value.replace(/[\\,]|^!/g, '\\$&')}`).join(',')
