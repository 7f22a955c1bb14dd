import { z } from 'zod'
import { headersProblem, overridesProblem } from './channel-overrides.ts'
import { distinctNames } from './comma-list.ts'
import { customFault, type Fault, fault } from './faults.ts'
import { normaliseAddress } from './option-kinds.ts'
import { isDecodable, readProxy } from './proxy-address.ts'

/** Characters of a list of names. */
export const nameListMax = 100_000

const names = (label: 'model' | 'group' | 'tag', max: number, missing?: string) =>
  z
    .string(missing)
    .max(nameListMax, fault(`${label}.list_too_long`))
    .transform((value) => distinctNames(value).join(','))
    .refine((value) => value.split(',').every((name) => name.length <= max), fault(`${label}.too_long`, { max }))

const noModel = fault('channel.no_model')
export const Models = names('model', 200, noModel).refine((value) => value !== '', noModel)
export const Groups = names('group', 32).transform((value) => value || 'default')

export const ModelMapping = z
  .string()
  .max(100_000)
  .refine((value) => value.trim() === '' || isStringMap(value), fault('model_mapping.not'))

function isStringMap(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value)
    return (
      typeof parsed === 'object' &&
      parsed !== null &&
      !Array.isArray(parsed) &&
      Object.values(parsed).every((name) => typeof name === 'string' && name !== '')
    )
  } catch {
    return false
  }
}

export const BaseUrl = z
  .string()
  .max(500)
  .transform(normaliseAddress)
  .refine((value) => value === '' || /^(https?|wss?):\/\/[^\s/]+/.test(value), fault('channel.address'))
  .refine((value) => !/^\w+:\/\/[^/?#]*@/.test(value), fault('channel.address_login'))

export const Tags = names('tag', 50)

/** A text that is empty or has nothing wrong with it. */
const checked = (max: number, problemOf: (text: string) => Fault | undefined) =>
  z
    .string()
    .max(max, fault('text.too_long', { max }))
    .superRefine((value, ctx) => {
      const problem = value.trim() === '' ? undefined : problemOf(value)
      if (problem) ctx.addIssue(customFault(problem.code, problem.params))
    })

export const ExtraHeaders = checked(20_000, headersProblem)

export const Overrides = checked(100_000, overridesProblem)

export const ProxyAddress = z
  .string()
  .trim()
  .max(1000, fault('text.too_long', { max: 1000 }))
  .refine((value) => value === '' || readProxy(value) !== null, fault('proxy.not'))
  .refine(isDecodable, fault('proxy.percent'))

export const Priority = z.number().int(fault('priority.whole')).min(-1_000_000_000).max(1_000_000_000)
export const Weight = z.number().int(fault('weight.whole')).min(0, fault('weight.negative')).max(1_000_000_000)
