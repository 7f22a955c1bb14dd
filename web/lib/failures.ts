import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { translateNow } from './i18n.ts'
import { refusalText } from './messages.ts'
import { toast } from './toast.tsx'

/** Why a session is over: its time is up, or its user was banned. */
type Ended = 'expired' | 'banned'

let leave = (why: Ended) => window.location.assign(`/login?${why}=true`)

/** What happens when the session is gone. The app puts its router here. */
export function whenExpired(action: (why: Ended) => void): void {
  leave = action
}

const lost = new WeakSet<object>()

export function lostCode<Failure extends Error>(error: Failure): Failure {
  lost.add(error)
  return error
}

if (typeof window !== 'undefined') window.addEventListener('vite:preloadError', ({ payload }) => lostCode(payload))

/** Whether an error says that code of the console could not be had. */
export const isLostCode = (error: unknown): boolean => error instanceof Error && lost.has(error)

const messageOf = (error: unknown): string => {
  if (isLostCode(error)) return translateNow('failures.lostCode')
  if (error instanceof Error && error.message) return error.message
  return String(error)
}

/** A failure in the words of the error catalogue; `null` is the expired session. */
function toastOf(error: unknown): { kind: 'error' | 'info'; text: string } | null {
  if (!(error instanceof ApiError))
    return { kind: 'error', text: translateNow('failures.other', { message: messageOf(error) }) }
  switch (error.status) {
    case 200:
      return { kind: 'error', text: refusalText(error) }
    case 401:
      return null
    case 429:
      return { kind: 'error', text: translateNow('failures.tooMany') }
    case 500:
      return { kind: 'error', text: translateNow('failures.server') }
    // A host that serves the console's files alone answers so to every change.
    case 405:
      return { kind: 'info', text: translateNow('failures.demo') }
    default:
      return { kind: 'error', text: translateNow('failures.other', { message: refusalText(error) }) }
  }
}

/** Why a call failed, in the reader's words; nothing where the session is over. */
export const failureText = (error: unknown): string => toastOf(error)?.text ?? ''

/** Shows a failed call to the reader. Queries and mutations do so by themselves. `once`: not while the same is on the screen. */
export function reportFailure(error: unknown, once = false): void {
  if (error instanceof ApiError && error.code === 'auth.banned') {
    leave('banned')
    return
  }
  const notice = toastOf(error)
  if (notice) toast[notice.kind](notice.text, once ? { id: notice.text } : {})
  else leave('expired')
}

/** For calls outside of queries and mutations: a failure is shown, then thrown on. */
export async function reporting<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    reportFailure(error)
    throw error
  }
}

/** Queries and mutations with this `meta` report their failures themselves. */
export const ownReport = { ownReport: true } as const

const reportUnlessOwn = (error: unknown, meta: Record<string, unknown> | undefined, once: boolean) => {
  if (meta?.ownReport !== true) reportFailure(error, once)
}

// A button knows that its call runs before it can be pressed again: a timer would come after presses that wait in line.
notifyManager.setScheduler(queueMicrotask)

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    // A page loads several things, and they fail together.
    queryCache: new QueryCache({ onError: (error, query) => reportUnlessOwn(error, query.meta, true) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => reportUnlessOwn(error, mutation.meta, false),
    }),
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
