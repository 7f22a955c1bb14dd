import { memoize } from '#server/lib/memoize.ts'
import { type ApiFacts, apiRows, otherModels } from './api-rows.ts'

const namedMax = 5000

/** By which of OpenAI's APIs a model is asked. Deployments of Azure leave out the dot, resellers name the vendor. */
export const apiFactsOf: (model: string) => ApiFacts = memoize(namedMax, (model) => {
  const name = model.replace(/^openai\//, '').replace(/^gpt-(\d)(?=\d(?!\d))/, 'gpt-$1.')
  return apiRows.find(({ models }) => models.test(name)) ?? otherModels
})

/** Models that exist in the responses API alone. */
export const isResponsesOnly = (model: string): boolean => !apiFactsOf(model).apis.includes('chat')
