import { arrayOf, numberOf, objectOf } from '#server/lib/json.ts'

type Fields = Readonly<Record<string, unknown>>

/** Pictures of a series whose length is left to the model. */
const seriesMost = 15

/** Words that names of a number of pictures are made of, whatever stands between them. */
const countName = new RegExp(
  `^(?:${[
    ...['n', 'nr', 'num', 'numbers?', 'counts?', 'quantity', 'amount', 'total', 'max', 'maximum', 'of', 'per', 'to'],
    ...['batch(?:size)?', 'samples?', 'images?', 'imgs?', 'pictures?', 'pics?', 'photos?', 'outputs?', 'results?'],
    ...['candidates?', 'variations?', 'variants?', 'generations?', 'generate', 'returned', 'return', 'copies'],
    ...['sequences?', 'prompt', 'request'],
  ].join('|')})+$`,
)

/** Batches of as many pictures each as another name says. */
const batchesName = /^(?:niters?|batch(?:es)?(?:count|num|number)|(?:n|num|numberof|count)batch(?:es)?)$/

/** How many levels below the body vendors look for settings. */
const depthMost = 4

/** Every number above one in the body and below it, with its name in plain letters; as text, too. */
function numbersIn(fields: Fields, depth = depthMost): [string, number][] {
  return Object.entries(fields).flatMap(([name, value]): [string, number][] => {
    const number = numberOf(value)
    if (number !== undefined) return number > 1 ? [[name.toLowerCase().replace(/[^a-z]/g, ''), Math.ceil(number)]] : []
    if (depth === 0) return []
    const inner = (Array.isArray(value) ? arrayOf(value) : [value]).map(objectOf)
    return inner.flatMap((below) => (below ? numbersIn(below, depth - 1) : []))
  })
}

/** How many pictures a body asks for: the most by any name, for each of its prompts and batches. So many are held, and no more are paid. */
export function picturesCount(body: Fields): unknown {
  const { n = null, prompt, sequential_image_generation: series, sequential_image_generation_options: options } = body
  // What is no number is refused by whoever reads it.
  if (n !== null && (typeof n !== 'number' || n < 1 || !Number.isInteger(n))) return n
  const numbers = numbersIn(body)
  const { max_images: longest = seriesMost } = objectOf(options) ?? {}
  const most = Math.max(
    series === 'auto' ? (numberOf(longest) ?? seriesMost) : 1,
    ...numbers.filter(([name]) => countName.test(name)).map(([, number]) => number),
  )
  const batches = numbers.filter(([name]) => batchesName.test(name)).map(([, number]) => number)
  return batches.reduce((all, each) => all * each, most * Math.max(1, arrayOf(prompt).length))
}
