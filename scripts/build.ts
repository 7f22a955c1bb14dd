/** Builds the program as one file that needs nothing else: `dist/switchyard`. */
import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { folderAssets } from '#server/http/assets.ts'

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

const vite = Bun.spawn(
  [process.execPath, '--bun', join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)
if ((await vite.exited) !== 0) process.exit(1)

const outfile = join(root, 'dist', process.platform === 'win32' ? 'switchyard.exe' : 'switchyard')
await Bun.build({
  entrypoints: [join(root, 'server', 'main.ts')],
  target: 'bun',
  plugins: [embedConsole],
  compile: { outfile },
})
console.log(`Built ${outfile} (${Math.round(Bun.file(outfile).size / 1_000_000)} MB).`)
