import { folderOf, folders, relayFolderOf, relayFolders } from './folders.ts'
import type { Import, Modules } from './modules.ts'

interface Rule {
  /** Files the rule speaks of. */
  readonly of: RegExp
  /** The only files of ours they may import … */
  readonly only?: RegExp
  /** … or the ones they may not. */
  readonly never?: RegExp
  readonly because: string
}

/** Rules beyond those of `folders.ts`. Tests are exempt, except for the border between web and server. */
const layers: readonly Rule[] = [
  { of: /^shared\//, only: /^shared\//, because: 'shared imports zod alone' },
  {
    of: /^server\/billing\//,
    never: /^server\/providers\/(?!([\w-]+\/prices|list-price|model-facts)\.ts$)/,
    because: 'of vendors billing knows the price lists alone',
  },
  {
    of: /^server\/relay\//,
    never: /^server\/resources\/.*(?<!\.store)\.ts$/,
    because: 'the relay reads only the stores of resources',
  },
  { of: /^(server|web)\/(?!app\/|main|routes)/, never: /^web\/app\//, because: 'nothing imports web/app' },
]

const borders: readonly Rule[] = [
  { of: /^web\//, only: /^(web|shared)\//, because: 'web and server meet in shared alone' },
  { of: /^server\//, never: /^(web|e2e|bench|scripts)\//, because: 'web and server meet in shared alone' },
  { of: /^e2e\//, only: /^(e2e|shared)\//, because: 'browser tests see what a browser and the contract show' },
]

/** Folders whose members never import each other. */
const siblings = [
  { of: /^server\/resources\/([^/]+)\//, because: 'a resource never imports another; what two need moves down' },
  { of: /^web\/features\/([^/]+)\//, because: 'a feature never imports another; what two need moves down' },
]

const alwaysOpen = /^shared\/|^server\/context\.ts$|\.css$/

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith('server/testing/')

const breaks = ({ of, only, never }: Rule, { from, to }: Import) =>
  of.test(from) && ((only !== undefined && !only.test(to)) || (never?.test(to) ?? false))

const allowedInShared = /^(zod|bun:test|fast-check)$/

/** Every import that is not allowed, in words. */
export function brokenRules({ imports, packages }: Modules): string[] {
  const say = ({ from, to }: Import, because: string) => `${from} imports ${to}: ${because}`
  const byLayer = imports
    .filter(({ from }) => !isTest(from))
    .flatMap((edge) => layers.filter((rule) => breaks(rule, edge)).map(({ because }) => say(edge, because)))
  const byFolder = imports
    .filter(({ from }) => !isTest(from))
    .flatMap((edge) => {
      const [own, other] = [folderOf(edge.from), folderOf(edge.to) ?? edge.to]
      const isOpen = own === null || other === own || alwaysOpen.test(edge.to)
      if (own === 'server/lib' && other !== own) return [say(edge, 'lib imports nothing of ours')]
      return isOpen || folders[own]?.imports.includes(other) ? [] : [say(edge, `${own} may not import ${other}`)]
    })
  const byRelayOrder = imports
    .filter(({ from }) => !isTest(from))
    .filter(({ from, to }) => {
      const [own, other] = [relayFolderOf(from), relayFolderOf(to)]
      return own !== null && other !== null && relayFolders.indexOf(own) < relayFolders.indexOf(other)
    })
    .map((edge) => say(edge, 'a folder of the relay imports only those before it in relayFolders'))
  const byBorder = imports.flatMap((edge) =>
    borders.filter((rule) => breaks(rule, edge)).map(({ because }) => say(edge, because)),
  )
  const bySibling = imports.flatMap((edge) =>
    siblings.flatMap(({ of, because }) => {
      const [own, other] = [of.exec(edge.from)?.[1], of.exec(edge.to)?.[1]]
      return own !== undefined && other !== undefined && own !== other && !isTest(edge.from) ? [say(edge, because)] : []
    }),
  )
  const foreign = packages
    .filter(({ from, name }) => from.startsWith('shared/') && !allowedInShared.test(name))
    .map(({ from, name }) => `${from} imports ${name}: shared imports zod alone`)
  return onePerImport([...byLayer, ...byFolder, ...byRelayOrder, ...byBorder, ...bySibling, ...foreign])
}

/** An import that breaks several rules is named once, with the first of them. */
function onePerImport(problems: readonly string[]): string[] {
  const byImport = new Map<string, string>()
  for (const problem of problems) {
    const [edge = ''] = problem.split(': ')
    if (!byImport.has(edge)) byImport.set(edge, problem)
  }
  return [...byImport.values()]
}
