import { z } from 'zod'
import { endpoint } from '../contract.ts'

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
    input: z.object({ key: z.string().max(100), value: z.string().max(1_000_000) }),
  }),
}
