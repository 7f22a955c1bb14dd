import { accountApi } from './account.ts'
import { authApi } from './auth.ts'
import { channelsApi } from './channels.ts'
import { configApi } from './config.ts'
import { historyApi } from './history.ts'
import { identityApi } from './identity.ts'
import { logsApi } from './logs.ts'
import { modelsApi } from './models.ts'
import { optionsApi } from './options.ts'
import { pricesApi } from './prices.ts'
import { redemptionsApi } from './redemptions.ts'
import { routingApi } from './routing.ts'
import { sessionsApi } from './sessions.ts'
import { statusApi } from './status.ts'
import { teamsApi } from './teams.ts'
import { tokensApi } from './tokens.ts'
import { usageApi } from './usage.ts'
import { usersApi } from './users.ts'

/** Every operation of the console API, by resource. */
export const api = {
  status: statusApi,
  auth: authApi,
  account: accountApi,
  users: usersApi,
  channels: channelsApi,
  teams: teamsApi,
  tokens: tokensApi,
  models: modelsApi,
  prices: pricesApi,
  routing: routingApi,
  redemptions: redemptionsApi,
  options: optionsApi,
  logs: logsApi,
  config: configApi,
  history: historyApi,
  usage: usageApi,
  identity: identityApi,
  sessions: sessionsApi,
}
