import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of its own that can be filled up. */
export interface SmallDisk {
  readonly folder: string
  fill(): void
  clear(): void
  remove(): void
}

/** Null where this machine lets nobody mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  if (mounted.status !== 0) return null
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const blocks = () => statfsSync(folder).bavail
      for (let bytes = 65_536; bytes >= 1 && blocks() > 0; ) {
        try {
          appendFileSync(filler, Buffer.alloc(bytes))
        } catch {
          bytes = Math.floor(bytes / 2)
        }
      }
    },
    clear: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
