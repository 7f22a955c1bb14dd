import { sentences } from '#shared/routing-reasons.ts'

/** Why a channel is asked first, later or not at all: in English as the server says it. */
export const reasons = sentences
