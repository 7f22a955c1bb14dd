import { z } from 'zod'
import { endpoint } from '../contract.ts'
import { PageInput, pageOf } from '../pagination.ts'

export const Session = z.object({
  id: z.string(),
  device: z.string(),
  address: z.string(),
  last_seen: z.number(),
  current: z.boolean(),
})
export type Session = z.output<typeof Session>

export const sessionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/session/',
    access: 'user',
    own: true,
    summary: 'Where the own account is logged in',
    input: PageInput,
    output: pageOf(Session),
  }),
  removeOthers: endpoint({
    method: 'DELETE',
    path: '/api/session/others',
    access: 'user',
    own: true,
    summary: 'End all sessions but this one; answers how many',
    output: z.number(),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/session/:id',
    access: 'user',
    own: true,
    summary: 'End one of the own sessions',
    input: z.object({ id: z.string().min(1).max(100) }),
  }),
}
