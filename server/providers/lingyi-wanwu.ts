import { openaiFamily } from './openai-family.ts'

/** 01.AI. */
export const lingyiWanwu = openaiFamily({ types: [31] })
