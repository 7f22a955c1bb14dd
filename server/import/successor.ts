/** Which of our types a channel becomes, and where it points; or why there is nothing like it. */
export type Successor =
  | {
      readonly type: number
      /** What it was called there, where it becomes something else. */
      readonly was?: string
      /** Where it points without an address of its own; '' for the default of ours. */
      readonly baseUrl: string
      /** What its program puts between address and task, where ours would put something else. */
      readonly path?: string
      /** Why a person should look at it first. */
      readonly doubt?: string
    }
  | { readonly leftOut: string }

export const custom = 8

/** A vendor of theirs that ours reaches as a custom channel. */
export const compatible = (was: string, baseUrl: string, path: string): Successor => ({
  type: custom,
  was,
  baseUrl,
  path,
})

export const unsupported = (label: string): Successor => ({ leftOut: `${label} channels are not supported` })
