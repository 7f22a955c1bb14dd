import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

/** A file of the console. */
export interface Asset {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Where the console's files come from: a folder, or the program itself when it was built into one file. */
export interface AssetSource {
  /** Paths as in a URL, from the root: `/index.html`. Only what is named here is ever served. */
  readonly paths: readonly string[]
  read(path: string): Promise<Asset>
}

/** The files of a folder as they were at the start; what begins with a dot stays private. */
export function folderAssets(folder: string): AssetSource {
  const paths = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))
        .filter((path) => !path.includes('/.'))
    : []
  return {
    paths,
    async read(path) {
      const file = Bun.file(join(folder, path))
      return { type: file.type, bytes: await file.bytes() }
    },
  }
}

/** Files inside the program: URL path to the name Bun gave the file in there. */
export const embeddedAssets = (files: Readonly<Record<string, string>>): AssetSource => ({
  paths: Object.keys(files),
  async read(path) {
    // The type comes from the path, for inside the program names are changed.
    return { type: Bun.file(path).type, bytes: await Bun.file(files[path] ?? '').bytes() }
  },
})
