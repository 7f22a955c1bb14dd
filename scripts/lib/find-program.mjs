import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first of these programs on the PATH, as a whole path. */
export function findProgram(...names) {
  const endings = process.platform === 'win32' ? ['.exe', ''] : ['']
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const found = endings.map((ending) => join(folder, name + ending)).find((path) => existsSync(path))
      if (folder !== '' && found) return found
    }
  }
  return undefined
}

const canUseApt = () => process.getuid?.() === 0 && findProgram('apt-get') !== undefined

/** Installs Debian packages where that is possible; answers whether it worked. */
export async function aptInstall(run, ...packages) {
  if (!canUseApt()) return false
  console.error(`Installing ${packages.join(', ')} with apt-get …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env }
  // Without a network it fails soon instead of trying each mirror for minutes.
  const soon = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20']
  await run('apt-get', ['update', '-qq', ...soon], quiet)
  return (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...soon, ...packages], quiet)) === 0
}
