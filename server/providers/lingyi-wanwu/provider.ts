import { openaiFamily } from '#server/providers/openai-family.ts'

/** 01.AI. */
export const lingyiWanwu = openaiFamily({ types: [31] })
