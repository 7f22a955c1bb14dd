import { type OptionSection, type OptionTab, optionSections } from '#shared/option-sections.ts'
import { type OptionKey, options } from '#shared/options.ts'

/** What stands among the options and is none. */
export type Extra = 'clearLogs' | 'pricePreview' | 'updateCheck'

export interface Section {
  readonly name: OptionSection | 'update'
  readonly items: ReadonlyArray<{ readonly key: OptionKey } | { readonly extra: Extra }>
}

const extraAfter: Partial<Record<OptionKey, Extra>> = { LogConsumeEnabled: 'clearLogs', GroupRatio: 'pricePreview' }

const keys = Object.keys(options) as OptionKey[]

const itemsOf = (section: OptionSection): Section['items'] =>
  keys
    .filter((key) => options[key].section === section)
    .flatMap((key) => {
      const extra = extraAfter[key]
      return extra === undefined ? [{ key }] : [{ key }, { extra }]
    })

const sectionsOf = (tab: OptionTab): Section[] =>
  (Object.keys(optionSections) as OptionSection[])
    .filter((name) => optionSections[name].tab === tab)
    .map((name) => ({ name, items: itemsOf(name) }))

/** Every option of the settings where its row in `shared/options.ts` puts it. */
export const optionTabs: Readonly<Record<OptionTab, readonly Section[]>> = {
  operations: sectionsOf('operations'),
  system: sectionsOf('system'),
  other: [...sectionsOf('other'), { name: 'update', items: [{ extra: 'updateCheck' }] }],
}

export const keysOf = (section: Section): OptionKey[] =>
  section.items.flatMap((item) => ('key' in item ? item.key : []))
