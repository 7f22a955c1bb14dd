import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { AppError } from '#shared/errors.ts'

const Fields = z.record(z.string(), z.unknown())

/** A section that is there is the whole truth; one that is not stays as it is. */
const ConfigFile = z.strictObject({
  options: Fields.optional(),
  groups: Fields.optional(),
  prices: z.record(z.string(), Fields).optional(),
  limits: Fields.optional(),
  fallbacks: Fields.optional(),
  channels: z.array(Fields).optional(),
})
export type ConfigFile = z.output<typeof ConfigFile>

export const badFile = (detail: string): AppError => new AppError('config.invalid', { detail })

export function readFile(text: string): ConfigFile {
  const parsed = ConfigFile.safeParse(parseYaml(text))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue?.path.join('.') || 'the file'
  if (issue?.code === 'unrecognized_keys') throw badFile(`there is no section ${issue.keys.join(', ')}`)
  throw badFile(`${where}: ${issue?.message ?? 'not valid'}; an empty section is written {} or []`)
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 50, uniqueKeys: true })
  } catch (error) {
    throw badFile(`not valid YAML: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
}

const heading = [
  ' Configuration of Switchyard. A section that is present is the whole truth; one that is absent stays as it is.',
  ' Secrets are never written here: (kept) stands for the one there is, ${NAME} for a variable when the file is applied.',
].join('\n')

export const writeFile = (file: ConfigFile): string =>
  `${heading
    .split('\n')
    .map((line) => `#${line}`)
    .join('\n')}\n${stringify(file, { lineWidth: 0 })}`
