import type { UsageOnRequest } from '#server/dialects/dialect.ts'
import { objectOf } from '#server/lib/json.ts'

/** Chat completions and text completions report the usage of a stream only with `stream_options.include_usage`. */
export const usageOnRequest: UsageOnRequest = {
  isAsked: (body) => objectOf(body.stream_options)?.include_usage === true,
  ask: (body) => ({ ...body, stream_options: { ...objectOf(body.stream_options), include_usage: true } }),
  askInText: (text, body) =>
    body.stream_options === undefined ? text.replace('{', '{"stream_options":{"include_usage":true},') : null,
}
