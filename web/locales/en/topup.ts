export const topup = {
  title: 'Top up',
  remaining: 'Remaining quota',
  used: 'Used so far',
  requests: 'Requests',
  code: 'Redemption code',
  codeHelp: 'Codes are letters and digits; spaces around them do not matter.',
  getCode: 'Get redemption code',
  redeem: 'Redeem',
  empty: 'please enter the top-up code',
  noLink: 'the super admin has not set a top-up link',
  done: 'Top-up success: {{amount}} added',
  failed: 'request failed',
} as const
