import type { ChatRequest, Effort, ResponseFormat } from '#server/dialects/chat.ts'
import { BadRequest } from '#server/dialects/dialect.ts'
import { isEffort } from '#server/dialects/reasoning-effort.ts'
import { arrayOf, compact, type JsonObject, numberOf, objectOf, textOf } from '#server/lib/json.ts'
import { field, objectField } from './either-case.ts'
import { jsonSchemaOf } from './json-schema.ts'

function decodeFormat(config: JsonObject): ResponseFormat | undefined {
  if (field(config, 'responseMimeType') !== 'application/json') return undefined
  const schema = objectField(config, 'responseJsonSchema') ?? objectOf(jsonSchemaOf(field(config, 'responseSchema')))
  return schema ? { type: 'json-schema', name: 'answer', schema } : { type: 'json' }
}

function decodeReasoning(thinking: JsonObject | undefined): ChatRequest['reasoning'] {
  if (!thinking) return undefined
  const level = textOf(field(thinking, 'thinkingLevel'))?.toLowerCase()
  const show = field(thinking, 'includeThoughts')
  const wish = compact({
    effort: isEffort(level) ? (level as Effort) : undefined,
    budgetTokens: numberOf(field(thinking, 'thinkingBudget')),
    show: typeof show === 'boolean' ? show : undefined,
  })
  return Object.keys(wish).length === 0 ? undefined : wish
}

/** The settings in `generationConfig`. */
export function decodeSettings(config: JsonObject | undefined): Partial<ChatRequest> {
  if (!config) return {}
  if (arrayOf(field(config, 'responseModalities')).includes('AUDIO') || field(config, 'speechConfig'))
    throw new BadRequest('AUDIO (responseModalities) cannot be had from this model: ask for TEXT', 'generationConfig')
  const number = (name: string) => numberOf(field(config, name))
  const stop = arrayOf(field(config, 'stopSequences')).filter((text) => typeof text === 'string')
  return compact<Partial<ChatRequest>>({
    maxOutputTokens: number('maxOutputTokens'),
    temperature: number('temperature'),
    topP: number('topP'),
    topK: number('topK'),
    stop: stop.length === 0 ? undefined : stop,
    seed: number('seed'),
    presencePenalty: number('presencePenalty'),
    frequencyPenalty: number('frequencyPenalty'),
    n: number('candidateCount'),
    responseFormat: decodeFormat(config),
    reasoning: decodeReasoning(objectField(config, 'thinkingConfig')),
    logprobs: field(config, 'responseLogprobs') === true ? compact({ top: number('logprobs') }) : undefined,
  })
}
