/** The same keys with other words: a translation that lacks one does not compile. */
export type Words<Source> = { readonly [Key in keyof Source]: Source[Key] extends string ? string : Words<Source[Key]> }
