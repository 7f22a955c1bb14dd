import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import type { ToastKind, ToastOptions } from './toast-kinds.ts'

/** What draws toasts is no part of the first load, but is here before the server may have gone. */
const quietMs = 3000
const loadToasts = () => import('./toast-view.tsx').catch(() => undefined)

let View: ComponentType | undefined
let onView = () => {}

/** A toast without code to draw it is lost; the next one asks for the code anew. */
async function show(kind: ToastKind, message: ReactNode, options?: ToastOptions) {
  const code = await loadToasts()
  if (code === undefined) return
  View = code.Toasts
  onView()
  code.showToast(kind, message, options)
}

const shower = (kind: ToastKind) => (message: ReactNode, options?: ToastOptions) => void show(kind, message, options)

function subscribe(listener: () => void): () => void {
  onView = listener
  return () => {
    onView = () => {}
  }
}

/** Where toasts appear. */
export function Toasts() {
  const Drawn = useSyncExternalStore(subscribe, () => View)
  useEffect(() => {
    const timer = setTimeout(() => void loadToasts(), quietMs)
    return () => clearTimeout(timer)
  }, [])
  return Drawn && <Drawn />
}

export const toast = {
  success: shower('success'),
  info: shower('info'),
  warning: shower('warning'),
  error: shower('error'),
  notice: shower('notice'),
}
