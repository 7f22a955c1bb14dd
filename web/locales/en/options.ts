import { type OptionKey, options as rows } from '#shared/options.ts'

/** What each option is called in the settings, and one line of help: the words stand on its row. */
export const options = Object.fromEntries(
  Object.entries(rows).map(([key, { label, help }]) => [key, { label, help }]),
) as Readonly<Record<OptionKey, { readonly label: string; readonly help: string }>>
