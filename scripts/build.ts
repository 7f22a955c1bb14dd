/**
 * Builds the program as one file that needs nothing else: `dist/switchyard`. `--outfile=` puts it elsewhere, and `--target=`
 * (like `bun-linux-arm64`) builds for another machine.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { BunPlugin } from 'bun'
import { folderAssets } from '#server/http/assets.ts'
import { ensureWebBuilt } from './lib/web-build.mjs'

const root = join(import.meta.dirname, '..')
const web = join(root, 'dist', 'web')

/** Puts the console's files into the program, where the server looks for them. */
const embedConsole: BunPlugin = {
  name: 'embed-console',
  setup(build) {
    build.onLoad({ filter: /[\\/]console-files\.ts$/ }, () => {
      const { paths } = folderAssets(web)
      const imports = paths.map(
        (path, at) => `import file${at} from ${JSON.stringify(join(web, path))} with { type: 'file' }`,
      )
      const names = paths.map((path, at) => `${JSON.stringify(path)}: file${at}`)
      const contents = [
        "import { embeddedAssets } from '#server/http/assets.ts'",
        ...imports,
        `export const consoleFiles = () => embeddedAssets({ ${names.join(', ')} })`,
      ]
      return { contents: contents.join('\n'), loader: 'ts' }
    })
  },
}

const { values } = parseArgs({ options: { outfile: { type: 'string' }, target: { type: 'string' } } })
const target = values.target as Bun.Build.CompileTarget | undefined
const forWindows = target?.includes('windows') ?? process.platform === 'win32'
const outfile = resolve(values.outfile ?? join(root, 'dist', forWindows ? 'switchyard.exe' : 'switchyard'))

await ensureWebBuilt()
await Bun.build({
  entrypoints: [join(root, 'server', 'main.ts')],
  target: 'bun',
  bytecode: true,
  plugins: [embedConsole],
  // What lies in the folder it is started in, like `preload` or an address in `.env`, is somebody else's.
  compile: { outfile, autoloadBunfig: false, autoloadDotenv: false, ...(target ? { target } : {}) },
})
console.log(`Built ${outfile} (${Math.round(Bun.file(outfile).size / 1_000_000)} MB).`)
