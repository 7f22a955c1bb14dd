/** Where options stand in the settings: each section in its tab, in the order they are drawn. Adding one is one line. */
export const optionSections = {
  general: { tab: 'operations', title: 'General', hint: 'Links shown to users, and how quota is counted.' },
  log: { tab: 'operations', title: 'Log', hint: 'What is written for every request, and how long it stays.' },
  monitor: {
    tab: 'operations',
    title: 'Monitor',
    hint: 'When a channel is taken out of service, and when people are warned.',
  },
  routing: { tab: 'operations', title: 'Routing', hint: 'Which channel a request takes.' },
  quota: { tab: 'operations', title: 'Quota', hint: 'What people are given, and what a request sets aside.' },
  ratios: { tab: 'operations', title: 'Ratios', hint: 'What models cost, as JSON objects from a name to a number.' },
  address: { tab: 'system', title: 'General', hint: 'Where this server is reached.' },
  login: { tab: 'system', title: 'Login and registration', hint: 'Who may come in, and how.' },
  domains: { tab: 'system', title: 'Email domain whitelist', hint: 'Keeps throw-away addresses out.' },
  mail: { tab: 'system', title: 'SMTP', hint: 'Sends verification codes, reset links and reminders.' },
  github: { tab: 'system', title: 'GitHub OAuth', hint: 'Callback address: {{origin}}/oauth/github' },
  oidc: { tab: 'system', title: 'OpenID Connect', hint: 'Callback address: {{origin}}/oauth/oidc' },
  wechat: { tab: 'system', title: 'WeChat server', hint: 'The service that checks messaging-app codes.' },
  pusher: { tab: 'system', title: 'Message pusher', hint: 'Alerts go there instead of by mail.' },
  turnstile: { tab: 'system', title: 'Turnstile', hint: 'The human check on registration and mails.' },
  notice: { tab: 'other', title: 'Notice', hint: 'What everyone should know.' },
  look: { tab: 'other', title: 'Personalization', hint: 'Name, theme and logo of this site.' },
  content: { tab: 'other', title: 'Content', hint: 'The pages and the footer that visitors see.' },
} as const satisfies Record<string, { tab: 'operations' | 'system' | 'other'; title: string; hint: string }>

export type OptionSection = keyof typeof optionSections
export type OptionTab = (typeof optionSections)[OptionSection]['tab']
