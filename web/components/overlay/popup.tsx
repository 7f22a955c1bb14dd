import { onDemand } from './on-demand.tsx'

/** A small form on a button. */
export const Popup = onDemand('dialog', async () => (await import('./popup-layer.tsx')).PopupLayer)
