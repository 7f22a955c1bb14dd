import { hashKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { LoginUser } from '#shared/api/auth.ts'
import { isAdmin, isRoot } from '#shared/roles.ts'
import { forget, readStored, store } from '#web/lib/storage.ts'
import { mayEnd } from './leaving.ts'
import { selfQuery } from './queries/self-queries.ts'

interface Session {
  user: LoginUser | null
  isAdmin: boolean
  isRoot: boolean
  /** Keeps the user in the browser; also after the own name has changed. */
  signIn: (user: LoginUser) => void
  /** Forgets the user here. Ending the session on the server is the caller's. */
  signOut: (how?: Ending) => void
  /** How the last session of this visit ended; `null` while one lasts or there was none. */
  ended: Ending | null
}

/** Where a visitor wanted to go before he was asked to log in. */
export interface Origin {
  from: string
}

export type Ending = 'left' | 'expired' | 'banned'

const SessionContext = createContext<Session | null>(null)

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [user, setUser] = useState<LoginUser | null>(() => readStored('user') ?? null)
  const [ended, setEnded] = useState<Ending | null>(null)

  /** The user the cached answers belong to: they are dropped for anybody else. */
  const owner = useRef(user?.id)

  const become = useCallback(
    (next: LoginUser | null) => {
      if (next?.id !== owner.current) queries.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
      owner.current = next?.id
      setUser(next)
    },
    [queries],
  )
  const signIn = useCallback(
    (next: LoginUser) => {
      const { id, username, display_name, role, status } = next
      store('user', { id, username, display_name, role, status })
      become(next)
      setEnded(null)
    },
    [become],
  )
  const signOut = useCallback(
    (how: Ending = 'left') => {
      forget('user')
      become(null)
      setEnded(how)
    },
    [become],
  )

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key !== 'user') return
      const catchUp = () => become(readStored('user') ?? null)
      if (readStored('user') !== undefined || mayEnd(catchUp)) catchUp()
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [become])

  /** Others may have renamed the user since, or given or taken rights. */
  useEffect(() => {
    const selfHash = hashKey(selfQuery.queryKey)
    return queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryHash !== selfHash) return
      const [known, self] = [readStored('user'), queries.getQueryData(selfQuery.queryKey)]
      if (self === undefined || known?.id !== self.id || self.id !== owner.current) return
      const { username, display_name, role } = self
      if (known.username !== username || known.display_name !== display_name || known.role !== role)
        signIn({ ...known, username, display_name, role })
    })
  }, [queries, signIn])

  const session = useMemo(() => {
    const role = user?.role ?? 0
    return { user, isAdmin: isAdmin(role), isRoot: isRoot(role), signIn, signOut, ended }
  }, [user, signIn, signOut, ended])
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useUser(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useUser needs a SessionProvider')
  return session
}
