import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env.SERVER_URL ?? 'http://127.0.0.1:3000'
/**
 * React apart, since it changes least; what most pages share in one piece, since many small ones compress worse and ask
 * the server too often; what floats over a page apart, since many pages show without it; of the rest the widgets and our
 * own parts in one piece each.
 */
const components = (names: string) => `@mantine/core/esm/components/(${names})/`
const lists = new RegExp(
  `node_modules/(@floating-ui|${components('Popover|Floating|Combobox|ScrollArea|Select|Pill|PillsInput|TagsInput')})`,
)
const dialogs = new RegExp(`node_modules/(react-remove-scroll|${components('Modal|ModalBase|Menu')})`)
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\/|vite\/preload-helper/, priority: 5 },
  { name: 'lists', test: lists, priority: 2.6 },
  { name: 'dialogs', test: dialogs, priority: 2.5 },
  { name: 'shared', test: (id: string) => !lists.test(id) && !dialogs.test(id), minShareCount: 14, priority: 3 },
  { name: 'widgets', test: /node_modules\//, minShareCount: 6, priority: 2 },
  { name: 'parts', test: /\/(web\/(components|hooks|lib|state)|shared)\//, minShareCount: 6, priority: 1 },
]

/** The console never prints JSON Schema: the part of zod that does stays out of the browser. */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  apply: 'build',
  transform: {
    filter: { id: /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/ },
    handler(code) {
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      return { code: names.map((name) => `export const ${name} = () => () => undefined`).join('\n'), map: null }
    },
  },
}

export default defineConfig({
  root: 'web',
  plugins: [react(), withoutJsonSchema],
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups, includeDependenciesRecursively: false } } },
  },
  server: { port: 5173, proxy: { '/api': server, '/v1': server } },
})
