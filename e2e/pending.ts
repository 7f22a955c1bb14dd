/**
 * Journeys written for the console before its shell was rebuilt: they are brought up to date one by one, and leave this list as they
 * pass again. `npx playwright test` with a path runs one of them all the same when its line is taken out.
 */
export const pending: readonly string[] = [
  'accessibility.spec.ts',
  'channel-form.spec.ts',
  'channels.spec.ts',
  'failed-loads.spec.ts',
  'first-request.spec.ts',
  'home.spec.ts',
  'identity.spec.ts',
  'language.spec.ts',
  'logs.spec.ts',
  'messages.spec.ts',
  'oauth.spec.ts',
  'overview.spec.ts',
  'profile.spec.ts',
  'redemptions.spec.ts',
  'routes.spec.ts',
  'routing.spec.ts',
  'settings.spec.ts',
  'settings-system.spec.ts',
  'shell.spec.ts',
  'token-form.spec.ts',
  'tokens.spec.ts',
  'topup.spec.ts',
  'users.spec.ts',
]
