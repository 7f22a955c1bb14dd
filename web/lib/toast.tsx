import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'
import type { ToastKind, ToastOptions } from './toast-kinds.ts'

/** What draws toasts is no part of the first load, but is here before the server may have gone. */
const quietMs = 3000
const loadToasts = () => import('./toast-view.tsx')
const ToastView = lazy(async () => ({ default: (await loadToasts()).Toasts }))

let hasSpoken = false
let onFirst = () => {}

const shower = (kind: ToastKind) => (message: ReactNode, options?: ToastOptions) => {
  hasSpoken = true
  onFirst()
  void loadToasts().then(({ showToast }) => showToast(kind, message, options))
}

function subscribe(listener: () => void): () => void {
  onFirst = listener
  return () => {
    onFirst = () => {}
  }
}

/** Where toasts appear. */
export function Toasts() {
  const isWanted = useSyncExternalStore(subscribe, () => hasSpoken)
  useEffect(() => {
    const timer = setTimeout(() => loadToasts().catch(() => undefined), quietMs)
    return () => clearTimeout(timer)
  }, [])
  return <Suspense>{isWanted && <ToastView />}</Suspense>
}

export const toast = {
  success: shower('success'),
  info: shower('info'),
  warning: shower('warning'),
  error: shower('error'),
  notice: shower('notice'),
}
