import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env.SERVER_URL ?? 'http://127.0.0.1:3000'
/** React apart, since it changes least; what most pages share in one piece, since many small ones compress worse. */
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\/|vite\/preload-helper/, priority: 2 },
  { name: 'shared', minShareCount: 26, priority: 1 },
  { name: 'parts', test: /\/(web|shared)\//, minShareCount: 10, priority: 0 },
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
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { port: 5173, proxy: { '/api': server, '/v1': server } },
})
