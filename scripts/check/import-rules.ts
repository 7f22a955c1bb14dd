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

/** Who may import whom. Tests are free but for the border between web and server. */
const layers: readonly Rule[] = [
  { of: /^shared\//, only: /^shared\//, because: 'shared imports zod alone' },
  { of: /^server\/lib\//, only: /^server\/lib\//, because: 'lib imports nothing of ours' },
  { of: /^server\/dialects\//, only: /^(server\/(dialects|lib)|shared)\//, because: 'dialects know lib and shared' },
  {
    of: /^server\/providers\//,
    only: /^(server\/(providers|dialects|lib)|shared)\//,
    because: 'providers know dialects, lib and shared',
  },
  { of: /^server\/db\//, only: /^(server\/(db|lib)|shared)\//, because: 'db knows lib and shared' },
  {
    of: /^server\/billing\//,
    only: /^(server\/(billing|db|lib)\/|shared\/|server\/providers\/([\w-]+\/prices|list-price)\.ts$)/,
    because: 'billing knows db, lib, shared and the price lists of vendors',
  },
  {
    of: /^server\/http\//,
    never: /^server\/(resources|relay|providers|dialects|jobs)\//,
    because: 'http knows no product noun',
  },
  {
    of: /^server\/history\//,
    never: /^server\/(resources|relay|providers|dialects|jobs|billing|accounts)\//,
    because: 'the history knows no resource',
  },
  { of: /^server\/resources\//, never: /^server\/relay\//, because: 'a resource never imports the relay' },
  {
    of: /^server\/relay\//,
    never: /^server\/resources\/.*(?<!\.store)\.ts$/,
    because: 'the relay reads only the stores of resources',
  },
  { of: /^web\/theme\//, only: /^(web\/theme|shared)\//, because: 'the theme knows shared alone' },
  { of: /^web\/locales\//, only: /^(web\/locales|shared)\//, because: 'words know shared alone' },
  {
    of: /^web\/lib\//,
    only: /^(web\/(lib|locales|theme)|shared)\//,
    because: 'lib of the web knows words, theme and shared',
  },
  { of: /^web\/state\//, only: /^(web\/(state|lib)|shared)\//, because: 'state knows lib and shared' },
  {
    of: /^web\/(hooks|components)\//,
    only: /^(web\/(hooks|components|state|lib|locales|theme)|shared)\//,
    because: 'what features share knows none of them, nor the roof',
  },
  {
    of: /^web\/features\//,
    never: /^web\/(app\/|main\.tsx)/,
    because: 'the roof stands on the features, not under them',
  },
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
  return [...byLayer, ...byBorder, ...bySibling, ...foreign]
}
