import { onDemand } from './on-demand.tsx'

/** A menu on a button. */
export const ActionMenu = onDemand('menu', async () => (await import('./menu-layer.tsx')).MenuLayer)
