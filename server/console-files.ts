import { join } from 'node:path'
import { type AssetSource, folderAssets } from '#server/http/assets.ts'

/** The built console. `npm run build` puts another source in this place: files inside the program. */
export const consoleFiles = (): AssetSource => folderAssets(join(import.meta.dirname, '..', 'dist', 'web'))
