import type { WorkKind } from './long-work/work.ts'

/** Every kind of long work. Adding one is one line. */
export const workKinds: Readonly<Record<string, WorkKind>> = {}
