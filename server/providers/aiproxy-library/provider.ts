import { bearer } from '#server/providers/endpoint.ts'
import type { Provider } from '#server/providers/provider.ts'
import { aiproxyLibrary as dialect } from './dialect.ts'

/** AI Proxy's knowledge base; `other` is the library that answers. */
export const aiproxyLibrary: Provider = {
  types: [21],
  operations: ['chat'],
  dialect: () => dialect,
  call: (target) => ({ url: `${target.baseUrl}/api/library/ask`, headers: bearer(target.key) }),
  adjust: (body, target) => ({ ...body, libraryId: target.other }),
}
