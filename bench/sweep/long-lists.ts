/** A request body with one of its lists grown. */
export interface LongList {
  readonly what: string
  readonly text: string
}

const bytesMost = 2_000_000
/** As many values as the relay reads at most, so that none of them is refused for their number alone. */
const valuesMost = 490_000

/** Elements that are cheap to send and may be dear to read, beside those that a list has by itself. */
const shapes: Readonly<Record<string, (n: number) => string>> = {
  'empty objects': () => '{}',
  references: (n) => `{"type":"item_reference","id":"msg_${n}","file_id":"file-${n}"}`,
}

/** As the relay counts them: one with a name counts as five. */
const valuesIn = (element: string): number =>
  1 + (element.match(/[{[,]/g)?.length ?? 0) + 4 * (element.match(/":/g)?.length ?? 0)

/** The elements of a list, as many as fit. */
function filled(element: (n: number) => string, bytes: number): string {
  const each = valuesIn(element(0))
  const elements: string[] = []
  for (let n = 0, length = 0; length < bytes && n * each < valuesMost; n += 1) {
    const one = element(n)
    elements.push(one)
    length += one.length + 1
  }
  return `[${elements.join(',')}]`
}

/** An element with a name of its own in every copy. */
const numbered =
  (element: unknown) =>
  (n: number): string =>
    JSON.stringify(element, (key, value) =>
      typeof value === 'string' && /^(?:id|name|key|\w+_id)$/.test(key) ? `${value}${n}` : value,
    )

const marker = '\u0001list\u0001'

/** The body with each of its lists replaced by a marker in turn, the deepest ones too. */
function* marked(value: unknown, path = ''): Generator<{ path: string; list: readonly unknown[]; value: unknown }> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) yield { path, list: value, value: marker }
  for (const [key, inner] of Object.entries(value))
    for (const found of marked(inner, `${path}.${key}`)) {
      const copy: unknown = Array.isArray(value)
        ? value.map((entry, at) => (String(at) === key ? found.value : entry))
        : { ...value, [key]: found.value }
      yield { ...found, value: copy }
    }
}

/** The body with each of its lists grown to 2 MB in every shape; one that has none gets a list nobody expects. */
export function* longLists(body: Readonly<Record<string, unknown>>): Generator<LongList> {
  const own = [...marked(body)]
  const lists = own.length > 0 ? own : marked({ ...body, items: [] })
  for (const { path, list, value } of lists) {
    const elements = list[0] === undefined ? shapes : { ...shapes, 'its own elements': numbered(list[0]) }
    for (const [shape, element] of Object.entries(elements)) {
      const text = JSON.stringify(value).replace(JSON.stringify(marker), () => filled(element, bytesMost))
      yield { what: `${path.slice(1)} of ${shape}`, text }
    }
  }
}
