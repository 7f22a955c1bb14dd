import type { ConfirmProps } from './confirm-layer.tsx'
import { onChild } from './on-child.tsx'

/** A question that hangs on the button it comes from. */
export const Confirm = onChild<ConfirmProps>(async () => (await import('./confirm-layer.tsx')).ConfirmLayer)
