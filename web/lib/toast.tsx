import type { ReactNode } from 'react'
import type { ToastKind, ToastOptions } from './toast-kinds.ts'

/** What draws toasts comes after the first page: nothing of it is needed to show one. */
export const loadToasts = () => import('./toast-view.tsx')

const shower = (kind: ToastKind) => (message: ReactNode, options?: ToastOptions) =>
  void loadToasts().then(({ showToast }) => showToast(kind, message, options))

export const toast = {
  success: shower('success'),
  info: shower('info'),
  warning: shower('warning'),
  error: shower('error'),
  notice: shower('notice'),
}
