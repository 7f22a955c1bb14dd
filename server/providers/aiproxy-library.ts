import { aiproxyLibrary as dialect } from '#server/dialects/aiproxy-library.ts'
import { bearer } from './endpoint.ts'
import type { Provider } from './provider.ts'

/** AI Proxy's knowledge base; `other` is the library that answers. */
export const aiproxyLibrary: Provider = {
  types: [21],
  operations: ['chat'],
  dialect: () => dialect,
  call: (target) => ({ url: `${target.baseUrl}/api/library/ask`, headers: bearer(target.key) }),
  adjust: (body, target) => ({ ...body, libraryId: target.other }),
}
