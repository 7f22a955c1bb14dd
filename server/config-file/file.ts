import { type Document, isScalar, Lexer, parseDocument, stringify, visit } from 'yaml'
import { z } from 'zod'
import { objectOf } from '#server/lib/json.ts'
import { jsonLevelsMax } from '#server/lib/json-text.ts'
import { AppError, invalid } from '#shared/errors.ts'
import { keepWritten } from './written-texts.ts'

type Fields = Record<string, unknown>

/** Every name is kept; `z.record` leaves out `__proto__`. */
const Fields = z.custom<Fields>((value) => objectOf(value) !== undefined, 'must be names with their values')

/** An object that YAML cannot hold stands there as the text of its JSON. */
const FieldsOrText = z.custom<Fields | string>(
  (value) => typeof value === 'string' || objectOf(value) !== undefined,
  'must be names with their values',
)

/** A section that is there is the whole truth; one that is not stays as it is. */
const ConfigFile = z.strictObject({
  options: Fields.optional(),
  groups: FieldsOrText.optional(),
  prices: z.record(z.string(), FieldsOrText).optional(),
  limits: FieldsOrText.optional(),
  fallbacks: FieldsOrText.optional(),
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
  if (isTooDeep(text)) throw badFile(`not valid YAML: it has more than ${jsonLevelsMax} levels`)
  try {
    const document = parseDocument(text, { uniqueKeys: false })
    const [error] = document.errors
    if (error) throw error
    keepWritten(document)
    refuseKeyTwice(document)
    refuseNull(document)
    return document.toJS({ maxAliasCount: 50 })
  } catch (error) {
    throw badFile(`not valid YAML: ${error instanceof Error ? plainMessage(error) : error}`)
  }
}

/** The parser's message without the excerpt of the file that follows, and without names of its functions. */
const plainMessage = ({ message }: Error): string =>
  (message.split('\n')[0] ?? '').replace(/:$/, '').replace(/; please use \S+/, ', but one is allowed')

/** Levels that begin in one line. */
const levelsInLine = new RegExp(`(?:[-?:] {1,8}){${jsonLevelsMax}}`)

/** The parser takes seconds for thousands of levels, and then has no stack left for them. */
function isTooDeep(text: string): boolean {
  if (levelsInLine.test(text)) return true
  if ((text.match(/[[{]/g)?.length ?? 0) <= jsonLevelsMax) return false
  let level = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === '[' || lexeme === '{') level += 1
    else if (lexeme === ']' || lexeme === '}') level -= 1
    if (level > jsonLevelsMax) return true
  }
  return false
}

/** The parser compares every key with every other: prices of many models would take it minutes. */
function refuseKeyTwice(document: Document.Parsed): void {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key
        if (seen.has(name)) throw new Error(`the key ${name} is given twice`)
        seen.add(name)
      }
    },
  })
}

/** Escapes of YAML get past what refuses it in bodies; PostgreSQL takes no text with it. */
function refuseNull(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, { value }) {
      if (typeof value === 'string' && value.includes('\0')) throw invalid('text.nul')
    },
  })
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
