import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { priceOptionBytesMax } from '../option-kinds.ts'

export const optionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    summary: 'All options but the secret ones, sorted by key',
    output: z.array(z.object({ key: z.string(), value: z.string() })),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    summary: 'Change one option',
    input: z.object({ key: z.string().max(100), value: z.string().max(priceOptionBytesMax) }),
    // A text in a body may take twice its length.
    bodyMax: 2 * priceOptionBytesMax,
  }),
}
