import { z } from 'zod'
import { endpoint } from '../contract.ts'

/** Reading a file keeps the node from other work; the command line takes larger ones. */
const fileMax = 1024 * 1024
/** In JSON every end of a line takes two letters. */
const bodyMax = 4 * fileMax

/** One thing the file would have otherwise: created without `before`, deleted without `after`. Secrets show as "changed". */
export const ConfigChange = z.object({
  kind: z.enum(['option', 'channel']),
  name: z.string(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
})
export type ConfigChange = z.output<typeof ConfigChange>

const Given = z.object({
  file: z.string().min(1).max(fileMax),
  /** What `${NAME}` in the file stands for; the server's own environment is never read. */
  env: z.record(z.string(), z.string().max(100_000)).default({}),
})

const Changes = z.object({ changes: z.array(ConfigChange) })

export const configApi = {
  export: endpoint({
    method: 'GET',
    path: '/api/config/',
    access: 'root',
    summary: 'The configuration as a YAML file, without any secret',
    output: z.object({ file: z.string() }),
  }),
  plan: endpoint({
    method: 'POST',
    path: '/api/config/plan',
    access: 'root',
    summary: 'What a file would change',
    input: Given,
    output: Changes,
    bodyMax,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/config/apply',
    access: 'root',
    summary: 'Make it so, all or nothing, as one entry of the history',
    input: Given,
    output: Changes,
    bodyMax,
  }),
}
