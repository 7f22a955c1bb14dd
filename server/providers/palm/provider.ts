import { withErrorHint } from '#server/providers/dialect-variant.ts'
import type { Provider } from '#server/providers/provider.ts'
import { palm as dialect } from './dialect.ts'

const hint = 'Google has switched the PaLM API off: use a Google Gemini channel (type 24) with the same key.'

const retired = withErrorHint(dialect, hint)

export const palm: Provider = {
  types: [11],
  operations: ['chat'],
  dialect: () => retired,
  call: (target) => ({
    url: `${target.baseUrl}/v1beta2/models/chat-bison-001:generateMessage`,
    headers: { 'x-goog-api-key': target.key },
  }),
  retired: () => hint,
}
