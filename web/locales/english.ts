import { auth } from './en/auth.ts'
import { common } from './en/common.ts'
import { failures } from './en/failures.ts'
import { forms } from './en/forms.ts'
import { pages } from './en/pages.ts'
import { shell } from './en/shell.ts'
import { states } from './en/states.ts'
import { table } from './en/table.ts'
import type { en } from './en.ts'

/**
 * The English words at hand: those every page needs. The words of a feature come along with the code that says them,
 * and are put in here by it (`wordsComeAlong` in vite.config.ts).
 */
export const english = { auth, common, failures, forms, pages, shell, states, table } as typeof en
