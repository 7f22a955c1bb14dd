import type { ChannelType } from '#shared/channel-types.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { type FaultCode, type FaultParams, faultOf, faults, fillIn } from '#shared/faults.ts'
import { isOptionKey } from '#shared/options.ts'
import type { ApiError } from './api.ts'
import { locale } from './i18n.ts'

interface Issue {
  readonly message: string
  readonly params?: { readonly [name: string]: unknown } | undefined
}

/** What is wrong with a field, in the reader's language. Words of the validator itself stay English. */
export function sayIssue(issue: Issue, more: FaultParams = {}): string {
  const known = faultOf(issue)
  return known ? fillIn(locale().faults[known.code], { ...known.params, ...more }) : issue.message
}

const isFault = (reason: unknown): reason is FaultCode => typeof reason === 'string' && Object.hasOwn(faults, reason)

/** An option is called as the settings call it. */
const withOption = (params: FaultParams): FaultParams => {
  const { key } = params
  if (typeof key !== 'string') return params
  return { ...params, option: isOptionKey(key) ? locale().words.options[key].label : key }
}

/** The server's refusal in the reader's language: the template of its code, filled with its parameters. */
export function sayRefusal({ code, message, params: given = {} }: ApiError): string {
  const template = code === undefined ? undefined : locale().errors[code as ErrorCode]
  if (template === undefined) return message
  const params = withOption(given)
  const { reason } = params
  if (!isFault(reason)) return fillIn(template, params)
  return fillIn(template, { ...params, detail: fillIn(locale().faults[reason], params) })
}

/** A channel type as the reader's language calls it and its fields. */
export function channelTypeWords(type: ChannelType) {
  const words = locale().channelTypes[type.id]
  return {
    label: words?.label ?? type.label,
    keyHelp: words?.keyHelp ?? type.keyHelp,
    otherLabel: words?.otherLabel ?? type.other?.label,
    otherHelp: words?.otherHelp ?? type.other?.help,
  }
}
