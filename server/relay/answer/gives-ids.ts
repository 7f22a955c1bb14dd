import type { JsonBody } from '#server/relay/request/ask.ts'

/** Sound has an id by which later requests refer to it. */
const ofSound = /"audio"\s*:\s*\{[^{}]*"id"\s*:/
/** Containers in which code ran, and files it made. */
const ofCode = /"(?:container|file_id)"\s*:/

/** Matches stream events that contain further ids beside the answer's own; undefined where there can be none. */
export function givesIds(dialect: string, { audio, tools, container }: JsonBody): RegExp | undefined {
  if (dialect === 'openai-chat') return audio ? ofSound : undefined
  return dialect === 'anthropic-messages' && (tools || container) ? ofCode : undefined
}
