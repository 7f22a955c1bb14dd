import type { JsonBody } from '#server/relay/request/ask.ts'

/** Sound has an id by which later requests refer to it. */
const ofSound = /"audio"\s*:\s*\{[^{}]*"id"\s*:/
/** Containers in which code ran, and files it made. */
const ofCode = /"(?:container|file_id)"\s*:/

/** What events of a stream look like that give out ids beside the answer's own; undefined where none can. */
export function givesIds(dialect: string, { audio, tools, container }: JsonBody): RegExp | undefined {
  if (dialect === 'openai-chat') return audio ? ofSound : undefined
  return dialect === 'anthropic-messages' && (tools || container) ? ofCode : undefined
}
