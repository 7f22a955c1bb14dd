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
/** No vendor has longer names, and to look at them takes time. */
const nameMost = 64

interface Asked {
  most: number
  batches: number
}

/** Looks at every number above one in the body and below it; at texts of numbers, too. */
function countIn(fields: Fields, asked: Asked, depth = depthMost): Asked {
  for (const [name, value] of Object.entries(fields)) {
    const number = numberOf(value)
    if (number !== undefined) {
      if (number > 1) countBy(name, Math.ceil(number), asked)
    } else if (depth > 0) {
      for (const each of Array.isArray(value) ? value : [value]) {
        const below = objectOf(each)
        if (below) countIn(below, asked, depth - 1)
      }
    }
  }
  return asked
}

function countBy(name: string, number: number, asked: Asked): void {
  if (name.length > nameMost) return
  const plain = name.toLowerCase().replace(/[^a-z]/g, '')
  if (number > asked.most && countName.test(plain)) asked.most = number
  if (batchesName.test(plain)) asked.batches *= number
}

/** How many pictures a body asks for: the most by any name, for each of its prompts and batches. So many are held, and no more are paid. */
export function picturesCount(body: Fields): unknown {
  const { n = null, prompt, sequential_image_generation: series, sequential_image_generation_options: options } = body
  // What is no number is refused by whoever reads it.
  if (n !== null && (typeof n !== 'number' || n < 1 || !Number.isInteger(n))) return n
  const { max_images: longest = seriesMost } = objectOf(options) ?? {}
  const most = series === 'auto' ? (numberOf(longest) ?? seriesMost) : 1
  const asked = countIn(body, { most, batches: 1 })
  return asked.most * asked.batches * Math.max(1, arrayOf(prompt).length)
}
