import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.SERVER_URL ?? 'http://127.0.0.1:3000'
const vendors: Array<{ name: string; test: RegExp }> = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
]

export default defineConfig({
  root: 'web',
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups: vendors } } },
  },
  server: { port: 5173, proxy: { '/api': server, '/v1': server } },
})
