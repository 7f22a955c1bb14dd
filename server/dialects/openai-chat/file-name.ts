import { words } from '#server/lib/words.ts'

const endings = words<string>({
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'application/json': 'json',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
})

const hasEnding = /\.[a-z][a-z\d]{0,4}$/i

/** A name as OpenAI wants it, which tells by the ending what a file is: titles elsewhere have none. */
export function fileName(name = 'file', mediaType = 'application/pdf'): string {
  if (hasEnding.test(name)) return name
  return `${name}.${endings[mediaType] ?? (mediaType.startsWith('text/') ? 'txt' : 'pdf')}`
}
