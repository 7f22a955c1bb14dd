export const states = {
  channel: { 1: 'Enabled', 2: 'Manually disabled', 3: 'Auto-disabled' },
  token: { 1: 'Enabled', 2: 'Disabled', 3: 'Expired', 4: 'Exhausted' },
  redemption: { 1: 'Unused', 2: 'Disabled', 3: 'Used' },
  user: { 1: 'Activated', 2: 'Banned' },
  role: { user: 'User', admin: 'Admin', root: 'Super admin' },
  log: { 0: 'All', 1: 'Top-up', 2: 'Consumption', 3: 'Admin', 4: 'System', 5: 'Refused' },
  untested: 'Untested',
} as const
