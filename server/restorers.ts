import type { Restorers } from '#server/history/restorer.ts'
import { channelRestorer } from '#server/resources/channels/channels.restorer.ts'
import { optionRestorer } from '#server/resources/options/options.restorer.ts'
import { priceRestorer } from '#server/resources/prices/prices.restorer.ts'
import { redemptionRestorer } from '#server/resources/redemptions/redemptions.restorer.ts'
import { teamRestorer } from '#server/resources/teams/teams.restorer.ts'
import { tokenRestorer } from '#server/resources/tokens/tokens.restorer.ts'
import { userRestorer } from '#server/resources/users/users.restorer.ts'

/** How each kind of change is taken back; null where it never is. Adding a kind is one line. */
export const restorers: Restorers = {
  channel: channelRestorer,
  option: optionRestorer,
  user: userRestorer,
  token: tokenRestorer,
  redemption: redemptionRestorer,
  team: teamRestorer,
  price: priceRestorer,
  log: null,
  config: null,
}
