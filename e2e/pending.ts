/**
 * Journeys written for the console before its shell was rebuilt: they are brought up to date one by one, and leave this list as they
 * pass again. `npx playwright test` with a path runs one of them all the same when its line is taken out.
 */
export const pending: readonly string[] = ['accessibility.spec.ts', 'language.spec.ts']
