import { type OptionKey, options } from '#shared/options.ts'

/** Options that only the super admin may write are shown to the other admins as they are. */
export const isReadOnly = (key: OptionKey, isRoot: boolean): boolean => options[key].writer === 'root' && !isRoot
