import { openaiResponses } from '#server/dialects/openai-responses/openai-responses.ts'
import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import type { Target } from '#server/providers/provider.ts'
import { surchargesOf } from '#server/providers/surcharges.ts'

const hosted = /^(web_search|file_search|code_interpreter|image_generation|shell)/

/**
 * Models OpenAI does not sell run none of its tools, whoever serves them behind its format. A request that offers them such tools is
 * written anew without them; agents offer them to every model.
 */
export function runsItsTools(target: Target, body: unknown): boolean {
  if (target.clientDialect !== openaiResponses.id || Object.keys(surchargesOf(target.model).calls).length > 0)
    return true
  return !arrayOf(objectOf(body)?.tools).some((tool) => hosted.test(textOf(objectOf(tool)?.type) ?? ''))
}
