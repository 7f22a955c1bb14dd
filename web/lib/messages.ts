import type { ChannelType } from '#shared/channel-types.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { type FaultCode, type FaultParams, faults, fillIn, issueFault } from '#shared/faults.ts'
import type { OptionKey } from '#shared/options.ts'
import type { ApiError } from './api.ts'
import { locale } from './i18n.ts'

interface Issue {
  readonly message: string
  readonly params?: { readonly [name: string]: unknown } | undefined
}

/** What is wrong with a field, in the reader's language. English stands in the issue itself. */
export function issueText(issue: Issue, more: FaultParams = {}): string {
  const known = issueFault(issue)
  const template = known && locale().faults[known.code]
  return template === undefined ? issue.message : fillIn(template, { ...known?.params, ...more })
}

/** A fault that the console finds itself. */
export const faultMessage = (code: FaultCode, params: FaultParams = {}): string =>
  fillIn(locale().faults[code] ?? faults[code], params)

/** An option is called as the settings call it. */
const withOption = (params: FaultParams): FaultParams => {
  const { key } = params
  return typeof key === 'string' ? { ...params, option: locale().options[key as OptionKey]?.label ?? key } : params
}

/** The server's refusal in the reader's language: the template of its code, filled with its parameters. */
export function refusalText({ code, message, params: given }: ApiError): string {
  const template = locale().errors[code as ErrorCode]
  if (template === undefined) return message
  const params = withOption(given)
  const fault = locale().faults[params.reason as FaultCode]
  return fillIn(template, fault === undefined ? params : { ...params, detail: fillIn(fault, params) })
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
