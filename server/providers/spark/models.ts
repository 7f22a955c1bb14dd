import { words } from '#server/lib/words.ts'
export interface SparkModel {
  readonly path: string
  readonly domain: string
  /** Takes system messages and functions. */
  readonly isCapable: boolean
}

const plain = (version: string, domain: string): SparkModel => ({ path: `/${version}/chat`, domain, isCapable: false })
const capable = (version: string, domain: string): SparkModel => ({ ...plain(version, domain), isCapable: true })

const byVersion = words<SparkModel>({
  'v1.1': plain('v1.1', 'lite'),
  'v2.1': plain('v2.1', 'generalv2'),
  'v3.1': plain('v3.1', 'generalv3'),
  'v3.1-128K': { path: '/chat/pro-128k', domain: 'pro-128k', isCapable: false },
  'v3.5': capable('v3.5', 'generalv3.5'),
  'v3.5-32K': { path: '/chat/max-32k', domain: 'max-32k', isCapable: true },
  'v4.0': capable('v4.0', '4.0Ultra'),
})

const versionOfName = words<string>({
  'Spark-Lite': 'v1.1',
  'Spark-Pro': 'v3.1',
  'Spark-Pro-128K': 'v3.1-128K',
  'Spark-Max': 'v3.5',
  'Spark-Max-32K': 'v3.5-32K',
  'Spark-4.0-Ultra': 'v4.0',
})

/** By the model's name, then by the version behind its dash (`SparkDesk-v3.5`), then by the channel's. */
export function sparkModel(model: string, fallback: string): SparkModel {
  const named = versionOfName[model] ?? model.slice(model.indexOf('-') + 1)
  const version = byVersion[named] ? named : fallback || 'v1.1'
  return byVersion[version] ?? plain(version, 'general')
}
