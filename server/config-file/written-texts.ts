import { type Document, isPair, isScalar, visit } from 'yaml'
import { isOptionKey, options } from '#shared/options.ts'

/** Fields of channels that hold names with commas between them. */
export const listFields = ['models', 'group', 'tags']
const textKinds: readonly string[] = ['text', 'address', 'choice', 'markup', 'domains']

/** Whether what stands at a place of the file is taken for a text, however it looks. */
function isText([section = '', name = '', ...deeper]: readonly string[]): boolean {
  if (deeper.length > 0) return false
  if (section === 'options') return isOptionKey(name) && textKinds.includes(options[name].kind)
  return section === 'channels' && listFields.includes(name)
}

/** Names and texts are taken as they are written: YAML reads `1.10` and `007` as other numbers than people mean. */
export function keepWritten(document: Document.Parsed): void {
  visit(document, {
    Scalar(key, scalar, path) {
      const { value, source } = scalar
      if (typeof value === 'string' || !source) return
      const names = () => path.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []))
      if (key === 'key' || (typeof value === 'number' && isText(names()))) scalar.value = source
    },
  })
}
