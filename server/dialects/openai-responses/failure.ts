import type { ChatFault } from '#server/dialects/chat.ts'

/** Codes that clients of responses know, strict ones and agents that act on them. */
const known: ReadonlySet<string> = new Set([
  'server_error',
  'rate_limit_exceeded',
  'invalid_prompt',
  'context_length_exceeded',
  'insufficient_quota',
  'invalid_image',
  'invalid_image_format',
  'invalid_base64_image',
  'invalid_image_url',
  'image_too_large',
  'image_too_small',
  'image_parse_error',
  'image_content_policy_violation',
  'invalid_image_mode',
  'image_file_too_large',
  'unsupported_image_media_type',
  'empty_image_file',
  'failed_to_download_image',
  'image_file_not_found',
])

/** Why a response failed, in its own field. */
export const failureOf = ({ code = '', message }: Pick<ChatFault, 'code' | 'message'>) => ({
  code: known.has(code) ? code : 'server_error',
  message,
})
