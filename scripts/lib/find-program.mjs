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

const settings = () => ({
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
})

// Without a network it fails soon instead of trying each mirror for minutes.
const soon = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20']
const install = ['install', '-y', '-qq', '--no-install-recommends', ...soon]

/** Installs Debian packages where that is possible; answers whether it worked. */
export async function aptInstall(run, ...packages) {
  if (!canUseApt()) return false
  console.error(`Installing ${packages.join(', ')} with apt-get …`)
  await run('apt-get', ['update', '-qq', ...soon], settings())
  return (await run('apt-get', [...install, ...packages], settings())) === 0
}

/** The same where the packages can be fetched in a minute. Only fetching is cut short, never what unpacks them. */
export async function aptInstallInAMinute(run, ...packages) {
  if (!canUseApt()) return false
  console.error(`Fetching ${packages.join(', ')} with apt-get, for a minute at most …`)
  const until = Date.now() + 60_000
  const limited = () => ({ ...settings(), timeout: Math.max(1, until - Date.now()) })
  await run('apt-get', ['update', '-qq', ...soon], limited())
  const fetched = await run('apt-get', [...install, '--download-only', ...packages], limited())
  return fetched === 0 && (await run('apt-get', [...install, '--no-download', ...packages], settings())) === 0
}
