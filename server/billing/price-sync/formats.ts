import type { PriceFormat } from '#shared/api/prices.ts'
import { readLitellm } from './litellm.ts'
import { readModelsDev } from './models-dev.ts'
import { readOneApi } from './one-api.ts'
import { readOpenrouter } from './openrouter.ts'
import type { PriceTable } from './usd.ts'

interface Format {
  /** What its source says, read as far as it can be; an empty table when it is something else. */
  read(data: unknown): Promise<PriceTable>
  /** Where it is found unless somebody says otherwise; null when that has to be said. */
  readonly url: string | null
  /** Below the address of a site, where the list is no file. */
  readonly paths: readonly string[]
}

/** The price lists that can be read. Adding one is one line. */
export const formats: Readonly<Record<PriceFormat, Format>> = {
  litellm: {
    read: readLitellm,
    url: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
    paths: [],
  },
  'models.dev': { read: readModelsDev, url: 'https://models.dev/api.json', paths: [] },
  openrouter: { read: readOpenrouter, url: 'https://openrouter.ai/api/v1/models', paths: [] },
  'one-api': { read: readOneApi, url: null, paths: ['/api/pricing', '/api/ratio_config'] },
}
