/** What can be wrong with a field: a code and its English words. `{name}` is filled from the parameters. */
export const faults = {
  'text.nul': 'text must not contain the null character',
  'text.too_long': 'must be at most {max} characters',
  'number.negative': 'must be a number that is not negative',
  'number.whole': 'must be a whole number',
  'number.between': 'must be between {min} and {max}',
  'switch.not': "must be 'true' or 'false'",
  'choice.not': 'must be {choices}',
  'address.scheme': 'must begin with http:// or https://',
  'issuer.not': 'must begin with https://, or with http:// on this machine',
  'group_map.not': 'group map: the value of "{name}" must be the name of a group',
  'port.range': 'must be a port from 1 to 65535',
  'json.not': '{label} is not a valid JSON string',
  'json.ratio': '{label}: the value of "{name}" must be a number from 0 to {max}',
  'strategy.not': 'routing strategy: the value of "{name}" must be weight, cost or latency',
  'fallbacks.not': 'model fallbacks: the value of "{name}" must be a list of at most {max} different model names',
  'fallbacks.circle': 'model fallbacks must not go in a circle: {circle}',
  'routing.who': 'name a user, a token or a group, not several of them',
  'price.range': 'a price must be a number of dollars from 0 to {max}',
  'price.decimals': 'a price has at most {max} digits behind the point',
  'price.model': 'please name the model',
  'price.both': 'a model is sold by the token or by the request, not by both',
  'price.not_by_unit': '{model} is not sold by the picture, the second or the character',
  'price.missing': 'please fill in the price of the input, or the price of a request',
  'price.none': 'please choose at least one model',
  'price.free_input': 'a free input with a paid output cannot be kept: give the input of {model} a price',
  'price.inexact': 'the prices of {model} are too far apart to be kept exactly',
  'price.needs_input': 'please fill in the price of the input of {model}',
  'price.nonsense': 'there are no prices in the format {format} in it',
  'price.too_many': 'a list may name at most {max} models',
  'price.url': 'please fill in the address of the list',
  'price.two_lists': 'give either the address of a list (url) or the list itself (data), not both',
  'price.unknown_model': '{model} is not in the preview; nothing was changed',
  'body.not_object': 'Invalid parameter: the body must be a JSON object',
  'body.unknown_field': 'Invalid parameter: unknown field {name}',
  'field.text': '{name} must be text',
  'field.number': '{name} must be a number',
  'field.whole': '{name} must be a whole number',
  'field.switch': '{name} must be true or false',
  'field.list': '{name} must be a list',
  'field.object': '{name} must be an object',
  'field.least': '{name} must be at least {min}',
  'field.most': '{name} must be at most {max}',
  'field.too_short': '{name} must have at least {min} characters',
  'field.too_long': '{name} must have at most {max} characters',
  'field.too_few': '{name} must have at least {min} entries',
  'field.too_many': '{name} must have at most {max} entries',
  'field.choice': '{name} must be one of {choices}',
  'field.unknown': 'unknown field {field} in {name}',
  'field.not': '{name} is not valid',
  'id.not': 'id must be a positive whole number',
  'status.required': 'status is required',
  'status.one_or_two': 'status must be 1 or 2',
  'status.one_to_three': 'status must be 1, 2 or 3',

  'username.required': 'username is required',
  'username.too_long': 'username must be at most {max} characters',
  'username.characters': 'username must not contain spaces, quotes, angle brackets or control characters',
  'username.address': 'username must not contain @',
  'password.required': 'password is required',
  'password.too_short': 'password length must not be less than {min}',
  'password.too_long': 'password length must not be more than {max}',
  'display_name.too_long': 'display name must be at most {max} characters',
  'code.required': 'code is required',
  'token.required': 'token is required',
  'email.not': 'not a valid email address',
  'email.too_long': 'the email address is too long',
  'group.list_too_long': 'group is too long',
  'group.too_long': 'a group name must be at most {max} characters',

  'quota.whole': 'quota must be a whole number',
  'quota.negative': 'quota must not be negative',
  'budget.period': 'budget_period must be day, week or month',
  'team.not': 'team_id must be the number of a team, or 0',
  'team_name.length': 'team name must be 1 to {max} characters',
  'team.role': 'role must be {roles}',
  'grace.not': 'grace must be whole seconds from 0 to 604800',
  'group.not_own': 'The token can only use a group of its owner; {group} is none',
  'limit.whole': 'a limit must be a whole number',
  'limit.negative': 'a limit must not be negative',
  'limit.too_large': 'a limit must be at most {max}',
  'limits.not': 'must be JSON like {example}; {where}',
  'zone.not': 'must be the name of a time zone, like UTC or Europe/Berlin',
  'quota.zero': 'quota must be greater than 0',

  'token_name.required': 'token name is required',
  'token_name.too_long': 'token name must be at most {max} characters',
  'expiry.not': 'expiry time format error',
  'expiry.past': 'the expiry time is in the past',
  'subnet.not': 'subnet must be a list of addresses or CIDR ranges',

  'channel.name_and_key': 'please fill in channel name and channel key',
  'channel.no_model': 'please choose at least one model',
  'channel.type': 'unknown channel type',
  'channel.address_required': 'please fill in the base URL: a channel of type {type} has no default',
  'channel.keys_max': 'at most {max} keys at once',
  'channel.one_key': 'a channel has one key; switch on its pool or create channels to use several',
  'channel.address': 'base URL must begin with http:// or https://',
  'channel.address_login':
    'base URL must not contain a name or password: put the credential into the key or the headers of the channel',
  'channel.name_too_long': 'name must be at most {max} characters',
  'model.list_too_long': 'model is too long',
  'model.too_long': 'a model name must be at most {max} characters',
  'model_mapping.not': 'model mapping must be a JSON object from model name to model name',
  'tag.list_too_long': 'tags are too long',
  'tag.too_long': 'a tag must be at most {max} characters',
  'headers.not': 'headers must be a JSON object from header name to text',
  'headers.name': 'the header name {name} cannot be sent',
  'headers.own': 'the header {name} is set by the relay itself and cannot be replaced',
  'headers.text': 'the header {name} must be text',
  'headers.line': 'the value of the header {name} must stand on one line',
  'overrides.not': 'overrides must be a JSON object with "set", "default" and "remove"',
  'overrides.part': 'overrides have "set", "default" and "remove"; {name} is none of them',
  'overrides.remove': 'remove must be a list of field names',
  'overrides.name': 'a field of the overrides has no usable name',
  'overrides.field': 'overrides must not touch {name}: the relay needs it as the caller sent it',
  'overrides.credentials': 'overrides must not touch credentials ({name})',
  'proxy.not': 'the proxy must be an http, https or socks5 address such as socks5://user:password@host:1080',
  'proxy.percent': 'in the name and the password of the proxy write % as %25',
  'proxy.password': 'please fill in the password of the proxy',
  'batch.which': 'name either ids or a tag',
  'batch.none': 'name at least one id',
  'routing.twice': 'name each channel once',
  'batch.max': 'at most {max} at once',
  'batch.ids': 'ids must be numbers parted by commas',
  'batch.empty': 'the change is empty: name at least one field',
  'batch.unknown_id': 'There is no channel {id}; nothing was changed',
  'batch.unknown': 'There is none with the id {id}; nothing was changed',
  'batch.token_expired': 'The token "{name}" has expired, change its expiry time first; nothing was changed',
  'batch.token_exhausted': 'The token "{name}" has no quota left; nothing was changed',
  'batch.code_used': 'The code {id} "{name}" has been used and cannot be changed; nothing was changed',
  'batch.not_yours': 'You cannot do this to the user {name}; nothing was changed',
  'batch.unknown_tag': 'No channel has the tag {tag}',
  'batch.no_model_left': '{channel} would be left without a model',
  'priority.whole': 'priority must be a whole number',
  'weight.whole': 'weight must be a whole number',
  'weight.negative': 'weight must not be below 0',

  'redemption.name_required': 'name is required',
  'redemption.name_length': 'The name must be 1 to {max} long',
  'redemption.count_whole': 'count must be a whole number',
  'redemption.count_zero': 'The number must be greater than 0',
  'redemption.count_max': 'At most {max} codes at once',

  'log.not': 'not names filters: type, token_name, model_name, group, username or channel',
  'usage.scope': 'scope must be self, all or team:<id>',
  'usage.zone': 'time_zone must be the name of a time zone, like UTC or Europe/Berlin',
  'usage.order': 'there is no such order',
  'usage.month': 'month must be written like 2026-11',
  'usage.range': 'to must be later than from',
  'usage.buckets': 'at most {max} steps at once; please choose a longer step or a shorter period',
  'usage.scope_all': 'a statement is of one balance: scope must be self or team:<id>',
  'usage.scope_warnings': 'warnings are of one account or team: scope must be self or team:<id>',
} as const

export type FaultCode = keyof typeof faults
export type FaultParams = Readonly<Record<string, string | number>>

export interface Fault {
  readonly code: FaultCode
  readonly params: FaultParams
}

export const fillIn = (template: string, params: FaultParams): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))

export const faultText = (code: FaultCode, params: FaultParams = {}): string => fillIn(faults[code], params)

/** A check of the validator carries a text alone: what each text of a schema stands for is remembered here. */
const meanings = new Map<string, Fault>()

/** The text of a schema's check. For schemas as they are built; what is known only of a value goes into `customFault`. */
export function fault(code: FaultCode, params: FaultParams = {}): string {
  const text = faultText(code, params)
  meanings.set(text, { code, params })
  return text
}

/** An issue for `ctx.addIssue` whose words hold something of the value. */
export const customFault = (code: FaultCode, params: FaultParams) => ({
  code: 'custom' as const,
  message: faultText(code, params),
  params: { fault: { code, params } },
})

interface Issue {
  readonly message: string
  readonly params?: { readonly [name: string]: unknown } | undefined
}

/** Which fault an issue of the validator is; `undefined` when the words are the validator's own. */
export const issueFault = (issue: Issue): Fault | undefined =>
  (issue.params?.fault as Fault | undefined) ?? meanings.get(issue.message)
