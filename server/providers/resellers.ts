import { aiproxyBalance, creditGrants, openaiSbBalance } from './balances.ts'
import { allOperations } from './endpoint.ts'
import { numbersOrBase64 } from './float-vectors.ts'
import { renameLimit, withinModel } from './openai/models.ts'
import { openaiFamily } from './openai-family.ts'
import type { Provider } from './provider.ts'

/** Resellers of OpenAI's own models differ in their address and in how they report the balance. */
function reseller(types: readonly number[], balance?: Provider['balance']): Provider {
  return openaiFamily({
    types,
    operations: allOperations,
    prepare: withinModel,
    adjust: (body, target) => renameLimit(body, target.model),
    codecs: { embeddings: numbersOrBase64 },
    ...(balance ? { balance } : {}),
  })
}

/** API2D, OpenAI Max, OhMyGPT, AI.LS, CloseAI, OpenAI-SB, AI Proxy, API2GPT and AIGC2D. */
export const resellers: readonly Provider[] = [
  reseller([2, 6, 7, 9]),
  reseller([4], creditGrants('total_available')),
  reseller([5], openaiSbBalance),
  reseller([10], aiproxyBalance),
  reseller([12], creditGrants('total_remaining')),
  reseller([13], creditGrants('total_available')),
]
