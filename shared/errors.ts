import { type FaultCode, type FaultParams, faultText, fillIn } from './faults.ts'

/**
 * Every refusal of the console API: HTTP status and public text; the relay's own stand in `server/relay/refusals.ts`. Failures of a
 * form are 200 with `success: false`, as the specification has them. `{name}` is filled from the error's parameters.
 */
export const errors = {
  'request.invalid': [200, '{detail}'],
  'request.not_json': [400, 'The request body is not valid JSON'],
  'request.too_deep': [400, 'The request body is nested deeper than 200 levels'],
  'request.too_many_values': [400, 'The request body has more than 5,000,000 values; one with a name counts as five'],
  'request.duplicate_key': [400, 'The request body gives a key twice in one object'],
  'request.incomplete': [400, 'The request ended before its body was complete'],
  'request.bad_host': [400, 'The header Host is missing or malformed'],
  'request.too_large': [413, 'The request body is too large'],
  'request.cross_site': [403, 'Cross-site request refused'],
  'request.navigation': [403, 'A link cannot do this; please use the console'],
  'request.not_found': [404, 'Invalid URL ({method} {path})'],
  'request.too_many': [429, 'too many requests, try again later'],
  'server.error': [500, 'internal server error, contact the administrator'],
  'server.unavailable': [503, 'The service is temporarily unavailable, please retry in a moment'],

  'auth.required': [401, 'not logged in or login expired, please log in again'],
  'auth.invalid_access_token': [401, 'The access token is invalid'],
  'auth.forbidden': [403, 'You do not have the right to do this'],
  'auth.banned': [403, 'The user has been banned'],
  'auth.wrong_credentials': [200, 'Wrong username or password, or the user is banned'],
  'auth.password_login_off': [200, 'The administrator has switched off password login'],
  'auth.state_mismatch': [403, 'The state is empty, used or expired; please start the login again'],

  'auth.ticket': [200, 'The login has expired or was tried too often; please start again'],
  'auth.proof_needed': [403, 'Enter your password or a code of your second factor'],
  'auth.factor_new': [403, 'You set up this second factor after you logged in. Enter your password'],
  'auth.login_needed': [403, 'Log out and log in again first; then you have ten minutes for this'],
  'auth.second_factor_required': [
    403,
    'A second factor is required of administrators; set one up under Settings, Personal (AdminSecondFactorRequired)',
  ],
  'auth.no_second_factor': [200, 'Set up a second factor for yourself first'],
  'totp.exists': [200, 'An authenticator app is already set up; remove it first'],
  'totp.missing': [200, 'No authenticator app is set up'],
  'passkey.refused': [200, 'The passkey was not accepted, please try again'],
  'passkey.unknown': [200, 'This passkey is not known here; it may have been removed'],
  'passkey.not_found': [200, 'The passkey does not exist'],
  'passkey.too_many': [200, 'You have reached the limit of {limit} passkeys; remove one first'],
  'passkey.address': [
    200,
    'Passkeys need an address: the administrator has to set ServerAddress, and it has to be the one you use',
  ],
  'session.not_found': [200, 'The session does not exist'],

  'oidc.off': [200, 'The administrator has not enabled this login'],
  'oidc.unreachable': [200, 'Cannot reach the login provider, please retry later'],
  'oidc.refused': [200, 'The login provider did not confirm the login, please start again'],
  'oidc.taken': [200, 'This account of the login provider is already bound'],
  'oidc.no_account': [200, 'There is no account for this login; ask the administrator for one'],

  'register.closed': [200, 'The administrator has closed registration'],
  'register.password_off': [
    200,
    'The administrator has closed registration by password, please register with a third-party account',
  ],
  'register.needs_email': [200, 'Email verification is on; please enter address and code'],
  'register.passwords_differ': [200, 'the two passwords entered do not match'],

  'code.wrong': [200, 'The code is wrong or has expired'],
  'email.domain_refused': [200, 'The administrator has enabled an email domain whitelist and your domain is not on it'],
  'email.password_needed': [200, 'Enter your password to bind this address'],
  'email.wrong_password': [200, 'The password is wrong'],
  'email.taken': [200, 'The email address is taken'],
  'mail.failed': [200, 'The mail could not be sent; please tell the administrator'],
  'mail.not_configured': [200, 'Mail is not set up; please tell the administrator'],
  'reset.invalid': [200, 'The reset link is invalid or has expired'],
  'turnstile.empty': [200, 'Turnstile token is empty'],
  'turnstile.failed': [200, 'Turnstile check failed, please refresh and retry'],
  'turnstile.unreachable': [200, 'The human check could not be verified, please retry'],

  'github.off': [200, 'The administrator has not enabled GitHub login'],
  'github.unreachable': [200, 'Cannot reach GitHub, please retry later'],
  'github.refused': [200, 'GitHub did not accept the code, please retry'],
  'github.taken': [200, 'This GitHub account is already bound'],
  'wechat.off': [200, 'The administrator has not enabled WeChat login'],
  'wechat.unreachable': [200, 'Cannot reach the WeChat server, please retry later'],
  'wechat.refused': [200, '{detail}'],
  'wechat.taken': [200, 'This WeChat account is already bound'],

  'user.not_found': [200, 'The user does not exist'],
  'user.name_taken': [200, 'The username is taken'],
  'user.same_or_higher': [200, 'No right to act on users of the same or a higher level'],
  'user.cannot_disable_root': [200, 'Cannot disable the super administrator'],
  'user.cannot_delete_root': [200, 'Cannot delete the super administrator'],
  'user.cannot_demote_root': [200, 'Cannot demote the super administrator'],
  'user.only_root_promotes': [200, 'An ordinary administrator cannot promote users'],
  'user.already_admin': [200, 'The user is already an administrator'],
  'user.already_ordinary': [200, 'The user is already an ordinary user'],
  'user.owns_team': [200, 'You own a team; pass it on or delete it first'],
  'user.own_role': [200, 'You cannot change your own role or status'],

  'token.not_found': [200, 'The token does not exist'],
  'token.expired': [200, 'The token has expired and cannot be enabled; change the expiry first or set it to never'],
  'token.exhausted': [
    200,
    "The token's quota is used up and it cannot be enabled; change the remaining quota first or set it to unlimited",
  ],
  'token.too_many': [200, 'You have reached the limit of {limit} tokens; delete one first'],

  'team.not_found': [200, 'The team does not exist'],
  'team.not_member': [200, 'You are not a member of this team'],
  'team.creation_closed': [200, 'Only administrators may create teams'],
  'team.too_many': [200, 'You have reached the limit of {limit} teams'],
  'team.too_many_invites': [200, 'The team has reached the limit of {limit} open invitations; end one first'],
  'team.already_member': [200, 'You are already a member of this team'],
  'team.invite_invalid': [200, 'The invitation is invalid, used or has expired'],
  'team.invite_not_found': [200, 'The invitation does not exist'],
  'team.member_not_found': [200, 'This user is not a member of the team'],
  'team.owner_stays': [200, 'The owner cannot leave; pass the team on or delete it first'],
  'team.own_budget': [200, 'Nobody changes his own budget or role in a team'],
  'team.shared_budget': [
    200,
    'This member spends from the budget of who invited him; only somebody without a budget gives him one of his own',
  ],
  'team.own_quota': [
    200,
    'Only a super administrator changes the quota of an own team or of that of another administrator',
  ],
  'team.running': [200, 'Requests of the team are running; try again when they have ended'],
  'team.transfer_budget': [200, 'Your account has a budget, so that your balance cannot be moved into a team'],
  'team.transfer_too_much': [200, 'At most {limit} can be transferred: gifts and held money cannot'],

  'channel.not_found': [200, 'The channel does not exist'],
  'channel.key_needed': [200, 'Please enter the key again: it is only sent where it was entered for'],
  'channel.test_failed': [200, '{detail}'],
  'channel.test_running': [200, 'A test is already running'],
  'channel.balance_unsupported': [200, 'Balance query is not supported for this channel type'],
  'channel.balance_failed': [200, 'Balance query failed: {detail}'],

  'channel.models_unsupported': [200, 'This provider has no list of models to fetch'],
  'channel.models_failed': [200, "The provider's list could not be used: {detail}"],

  'price.not_own': [200, '{model} has no price of its own'],
  'price.unreachable': [200, 'The price list could not be fetched: {detail}'],
  'price.preview_gone': [200, 'The preview is gone; please make it again'],

  'redemption.not_found': [200, 'The redemption code does not exist'],
  'redemption.used': [200, 'The code has been used and cannot be changed'],
  'topup.empty': [200, 'please enter the top-up code'],
  'topup.invalid': [200, 'Redemption failed, invalid redemption code'],
  'topup.used': [200, 'Redemption failed, this code has already been used'],
  'topup.disabled': [200, 'Redemption failed, this code is disabled'],
  'topup.expired': [200, 'Redemption failed, this code has expired'],

  'quota.overflow': [200, 'The amount would exceed the largest balance that can be kept exactly'],

  'option.unknown': [200, 'Unknown option: {key}'],
  'option.invalid': [200, '{detail}'],
  'option.root_only': [403, 'Only the super administrator may change {key}'],
  'option.needs': [200, 'Fill in {needed} first'],
  'option.needed': [200, 'Turn off {switches} first: it does not work without {key}'],
  'log.target_required': [200, 'target timestamp is required'],
  'log.request_not_found': [200, 'There is no such request in the log'],
  'config.invalid': [200, 'The file cannot be applied: {detail}'],
  'history.not_found': [200, 'The history has no such entry'],
  'history.undone': [200, 'Already undone by entry {entry}; undo that one to have the change back'],
  'history.final': [200, 'This kind of change is final'],
  'history.final_money': [200, 'Changes of balances are final; book the difference instead'],
  'history.money_since': [200, 'It has had or spent money since, and money is never undone; delete it by hand'],
  'history.final_log': [200, 'Cleared log rows are gone for good'],
  'history.final_account': [200, 'A deleted account is gone for good'],
  'history.final_member': [200, 'What was changed of a member is final; change it again in the team'],
  'history.final_password': [200, 'A new password is final; set another one instead'],
  'history.final_second_factor': [200, 'A cleared second factor has to be set up again by its owner'],
  'history.expired': [200, 'What was deleted or replaced is kept for {days} days; that time is over'],
  'history.changed_since': [200, 'Changed since: {fields} of {thing}, by {who} at {time}; undo or change that first'],
  'history.differs': [200, 'Not as this entry left it any more: {fields} of {thing}'],
  'history.gone_since': [200, 'Deleted since: {thing}'],
  'history.taken': [200, 'Something else has taken the place of {thing} since'],
  'history.owner_gone': [200, 'The account this belonged to is gone'],
  'history.not_yours': [200, 'Only its owner may change this'],
  'update.unreachable': [200, 'The release information could not be fetched'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errors
export type ErrorParams = FaultParams

export const errorStatus = (code: ErrorCode): number => errors[code][0]

const errorMessage = (code: ErrorCode, params: ErrorParams = {}): string => fillIn(errors[code][1], params)

/** A refusal. `params` and `data` are public; `cause` is private and goes to the server's log only. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly params: ErrorParams
  readonly data: Readonly<Record<string, unknown>> | undefined
  constructor(
    code: ErrorCode,
    params: ErrorParams = {},
    more: { data?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(errorMessage(code, params), { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.params = params
    this.data = more.data
  }
}

/** A refusal of one field. `reason` is the code of the fault, so that the console can say it in the reader's language. */
export const invalid = (reason: FaultCode, params: FaultParams = {}, field?: string): AppError =>
  new AppError(
    'request.invalid',
    { ...params, reason, detail: faultText(reason, params) },
    field === undefined ? {} : { data: { field } },
  )
