import { channelsApi } from '#shared/api/channels.ts'
import { tokensApi } from '#shared/api/tokens.ts'
import { usersApi } from '#shared/api/users.ts'
import type { ArgsOf } from '#shared/contract.ts'
import type { ApiClient } from './api-client.ts'

let made = 0

/** A name nothing else in this run has. */
export const uniqueName = (prefix: string): string => {
  made += 1
  return `${prefix}${process.pid % 1000}${made}`
}

export const userPassword = 'a-good-password'

/** Creates an ordinary user; whatever is not given is valid and does not matter. */
export async function makeUser(admin: ApiClient, given: Partial<ArgsOf<typeof usersApi.create>> = {}) {
  const draft = { username: uniqueName('user'), password: userPassword, display_name: '', ...given }
  await admin.call(usersApi.create, draft)
  return draft
}

export async function makeToken(owner: ApiClient, given: Partial<ArgsOf<typeof tokensApi.create>> = {}) {
  const draft = { name: uniqueName('token'), ...given }
  await owner.call(tokensApi.create, draft)
  return draft
}

/** For tests that count channels, or what is said of them. */
export async function removeChannels(admin: ApiClient): Promise<void> {
  for (const { id } of (await admin.call(channelsApi.list, { pagesize: 100 })).list)
    await admin.call(channelsApi.remove, { id })
}

export async function makeChannel(admin: ApiClient, given: Partial<ArgsOf<typeof channelsApi.create>> = {}) {
  const draft = { name: uniqueName('channel'), type: 1, key: 'sk-of-nobody', models: 'gpt-4o-mini', ...given }
  await admin.call(channelsApi.create, draft)
  return draft
}
