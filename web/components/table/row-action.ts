import type { Question } from '#web/components/overlay/confirm-layer.tsx'

/** One thing that can be done to a row. */
export interface RowAction {
  /** The verb: "Test", "Disable". */
  label: string
  /** Drawn as this icon instead of the word; the word then is its name. */
  icon?: 'edit' | 'delete' | 'more'
  /** Leads to another page. */
  to?: string
  /** While its promise is pending the word is replaced by a loader. */
  run?: () => unknown
  /** Asked before it runs. */
  confirm?: Question
  disabled?: boolean
  /** Further choices behind a chevron; the verb itself does the default. */
  choices?: ReadonlyArray<{ label: string; run: () => unknown }>
  /** The longest word that may stand here, so that rows do not shift: ["Enable", "Disable"]. */
  widest?: readonly string[]
}
