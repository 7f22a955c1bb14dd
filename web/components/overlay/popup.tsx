import { onDemand } from './on-demand.tsx'
import type { PopupProps } from './popup-layer.tsx'

/** A small form on a button. */
export const Popup = onDemand<PopupProps>('dialog', async () => (await import('./popup-layer.tsx')).PopupLayer)
