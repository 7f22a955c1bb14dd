import type { MenuProps } from './menu-layer.tsx'
import { onDemand } from './on-demand.tsx'

/** A menu on a button. */
export const ActionMenu = onDemand<MenuProps>('menu', async () => (await import('./menu-layer.tsx')).MenuLayer)
