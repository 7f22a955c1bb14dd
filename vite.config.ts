import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env.SERVER_URL ?? 'http://127.0.0.1:3000'
/** What the groups ask about a module; Rollup's own words for it. */
interface Modules {
  getModuleInfo: (id: string) => { code: string | null; importedIds: readonly string[] } | null
}

const isWords = (id: string): boolean => id.includes('/web/locales/en/')
const isOwn = (id: string): boolean => /\/(web|shared)\//.test(id) && !id.includes('/node_modules/')
const channelRules = /\/shared\/(channel-|proxy-address|option-kinds|api\/channels)/
/** What every page about channels draws, asks for or reads. */
const channelPieces =
  /\/web\/(state\/queries\/channel-queries|components\/data\/channel-type|hooks\/use-channel-name)\./
/** Fields that are no use without the library of choices. */
const choosingFields = /\/web\/components\/choices\/(group-select|names-input|model-picker)\./

/** What many pages draw and nothing hangs on. */
const smallPieces =
  /tabler|\/(Skeleton|ComboboxChevron|NativeSelect|CheckIcon|Checkbox|DirectionProvider|Group|Pagination|Textarea|FileButton)\/|\/clamp|scoped-keydown|create-event-handler|use-debounced-value|use-force-update/

/** What only lists and only forms draw: a page that is neither, like the overview, takes none of it. */
const listPieces =
  /\/web\/(components\/(table|page\/side-panel)|hooks\/use-(list|bulk|selection|table-state)|state\/queries\/(price|redemption)-)|\/shared\/api\/(prices|redemptions)\.|\/Pagination\/|use-pagination/
const formPieces = /\/web\/(components\/(form|choices)|lib\/json-fault)|\/(Textarea|FileButton)\//
/** How one proves who one is: for the login and the profile. */
const identityPieces =
  /\/web\/(lib\/identity|components\/identity\/(wechat|yard)|hooks\/use-(bot-check|cooldown))|\/shared\/api\/identity\.|components\/form\/turnstile/

/** What speaks to the relay itself, for the playground and for first requests. */
const chatPieces = /\/web\/lib\/chat\//

const pieces = [
  ['chat', chatPieces],
  ['identity', identityPieces],
  ['lists', listPieces],
  ['fields', formPieces],
] as const

/** What draws floating layers, forms, pictures and texts: far more than most pages need at once. */
const heavyLibraries = /purify|markdown|marked|visx|simplewebauthn|qrcode|@mantine\/form/
const heavyComponents =
  /import\s*\{[^}]*\b(Popover|Modal|Menu|Combobox|Select|MultiSelect|TagsInput|Autocomplete|HoverCard|Drawer|Tooltip|FocusTrap|RemoveScroll|ScrollArea|Tabs)\b[^}]*\}\s*from\s*["']@mantine\/core["']/

/** Every module of ours that the first script needs before it draws anything. */
function reachedFromStart(modules: Modules): Set<string> {
  const reached = new Set<string>()
  const waiting = [resolve(import.meta.dirname, 'web/main.tsx')]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id) || !isOwn(id)) continue
    reached.add(id)
    waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []))
  }
  return reached
}

/** Whether a module brings nothing heavy along. */
function isLight(id: string, modules: Modules, known: Map<string, boolean>): boolean {
  const before = known.get(id)
  if (before !== undefined) return before
  known.set(id, true)
  const judge = () => {
    if (channelRules.test(id) || heavyLibraries.test(id)) return false
    if (!isOwn(id)) return true
    const info = modules.getModuleInfo(id)
    return (
      !heavyComponents.test(info?.code ?? '') && (info?.importedIds ?? []).every((it) => isLight(it, modules, known))
    )
  }
  const light = judge()
  known.set(id, light)
  return light
}

/** What is asked for together comes in one piece: a page takes a handful of requests, not one for each small module. */
function chunkGroups() {
  const judged = new Map<string, boolean>()
  let start: Set<string> | undefined
  const mainOf = (id: string, modules: Modules): string | null => {
    start ??= reachedFromStart(modules)
    return start.has(id) ? 'main' : null
  }
  const isPart = (id: string, modules: Modules): boolean =>
    smallPieces.test(id) ||
    (isOwn(id) && !isWords(id) && !id.includes('/web/features/') && isLight(id, modules, judged))
  /** The first kind of pages whose pieces it is among. */
  const kindOf = (id: string): string => pieces.find(([, test]) => test.test(id))?.[0] ?? 'parts'
  const inKind = (kind: string) => ({
    name: (id: string, modules: Modules): string | null => (isPart(id, modules) && kindOf(id) === kind ? kind : null),
    debugName: kind,
    minShareCount: 2,
    // What many kinds share is taken first, or it would go along with the first of them.
    priority: kind === 'parts' ? 5 : 4,
  })
  return [
    {
      name: 'react',
      test: /node_modules\/(react|react-dom|scheduler|react-router)\/|vite\/preload-helper/,
      priority: 9,
    },
    { name: 'shared', minShareCount: 26, priority: 8 },
    { name: mainOf, debugName: 'main', priority: 7 },
    { name: 'channels', test: channelRules, priority: 6 },
    inKind('parts'),
    ...pieces.map(([kind]) => inKind(kind)),
    { name: 'channels', test: channelPieces, priority: 4 },
    { name: 'content', test: /\/web\/components\/content\/(site-|markdown\.module)/, priority: 4 },
    { name: 'overview', test: /\/web\/(features\/overview|locales\/en\/overview)/, minShareCount: 2, priority: 3 },
    { name: 'routing-rules', test: /\/shared\/api\/routing/, minShareCount: 2, priority: 3 },
    { name: 'routing', test: /\/web\/features\/routing/, minShareCount: 2, priority: 3 },
    { name: 'channel-pages', test: /\/web\/features\/channels\//, minShareCount: 2, priority: 3 },
    {
      name: 'floating',
      test: /node_modules.*(Popover|Overlay|FocusTrap|Portal|Transition|[Ff]loating|Modal|remove-scroll|use-sidecar|style-singleton|use-callback-ref)/,
      minShareCount: 2,
      priority: 4,
    },
    {
      name: 'choices',
      test: (id: string) =>
        choosingFields.test(id) || /node_modules.*(ScrollArea|Combobox|Select\/|TagsInput)/.test(id),
      minShareCount: 1,
      priority: 4,
    },
    { name: 'form', test: /@mantine\/form|PasswordInput/, minShareCount: 2, priority: 3 },
  ]
}

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

/** Charts place numbers only: scales of colours and times, and ticks with words of their own, stay out of the browser. */
const numbersOnly: Readonly<Record<string, string>> = {
  '@visx/scale/esm/operators/nice.js': 'export default (scale, { nice }) => { if (nice) scale.nice(nice) }',
  '@visx/scale/esm/utils/createColorInterpolator.js': 'export default () => undefined',
  'd3-scale/src/tickFormat.js': 'export default () => String',
  'd3-interpolate/src/value.js': `export { default } from './number.js'`,
}

const chartsOfNumbers: Plugin = {
  name: 'charts-of-numbers',
  apply: 'build',
  transform: {
    filter: { id: /\/node_modules\/(@visx\/scale|d3-scale|d3-interpolate)\// },
    handler(_, id) {
      const code = numbersOnly[id.split('/node_modules/').at(-1) ?? '']
      return code === undefined ? null : { code, map: null }
    },
  },
}

const locales = resolve(import.meta.dirname, 'web/locales')
/** Areas of words that do not come with the first script. */
const laterWords = (() => {
  const first = readFileSync(`${locales}/english.ts`, 'utf8')
  const areas = readdirSync(`${locales}/en`).map((file) => file.replace('.ts', ''))
  return new Set(areas.filter((area) => !first.includes(`'./en/${area}.ts'`)))
})()

/** Whoever says words of an area brings them along, so that nobody loads those of pages that are not opened. */
const wordsComeAlong: Plugin = {
  name: 'words-come-along',
  transform: {
    filter: { id: /\/web\/(app|components|features|hooks|lib|state)\/[^?]*\.tsx?$/ },
    handler(code) {
      const said = new Set([...code.matchAll(/['"`](\w+)\.[\w$]/g)].map(([, area = '']) => area))
      const areas = [...said].filter((area) => laterWords.has(area))
      if (areas.length === 0) return null
      const imports = areas.map((area) => `import { ${area} as ${area}Words_ } from '#web/locales/en/${area}.ts'`)
      const bring = `Object.assign(english_, { ${areas.map((area) => `${area}: ${area}Words_`).join(', ')} })`
      const along = [`import { english as english_ } from '#web/locales/english.ts'`, ...imports, bring]
      return { code: `${code}\n${along.join('\n')}\n`, map: null }
    },
  },
}

export default defineConfig({
  root: 'web',
  plugins: [react(), withoutJsonSchema, chartsOfNumbers, wordsComeAlong],
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } },
  },
  server: { port: 5173, proxy: { '/api': server, '/v1': server } },
})
