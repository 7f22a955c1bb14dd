import { apiReasons } from '#shared/api-reasons.ts'
import { sentences } from '#shared/routing-reasons.ts'

/** Why a channel is asked first, later or not at all, and by which API: in English as the server says it. */
export const reasons = { ...sentences, api: apiReasons }
