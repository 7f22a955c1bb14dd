/** Milliseconds before a toast goes. */
export const toastDuration = { success: 1500, info: 3000, error: 5000, warning: 10000, notice: 20000 } as const

/** A toast that offers something stays long enough to be read and answered. */
export const actionDuration = 10_000

export type ToastKind = keyof typeof toastDuration

export interface ToastOptions {
  /** Stays until it is closed. */
  keep?: boolean
  /** A toast of this name that is on the screen is not shown again. */
  id?: string
  /** What can be done about it while it is shown. */
  action?: { label: string; hint: string; run: () => unknown }
}
