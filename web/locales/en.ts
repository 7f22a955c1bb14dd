import { about } from './en/about.ts'
import { auth } from './en/auth.ts'
import { channels } from './en/channels.ts'
import { chat } from './en/chat.ts'
import { common } from './en/common.ts'
import { connect } from './en/connect.ts'
import { failures } from './en/failures.ts'
import { filters } from './en/filters.ts'
import { forms } from './en/forms.ts'
import { history } from './en/history.ts'
import { home } from './en/home.ts'
import { logs } from './en/logs.ts'
import { models } from './en/models.ts'
import { overview } from './en/overview.ts'
import { pages } from './en/pages.ts'
import { palette } from './en/palette.ts'
import { playground } from './en/playground.ts'
import { prices } from './en/prices.ts'
import { reasons } from './en/reasons.ts'
import { redemptions } from './en/redemptions.ts'
import { routing } from './en/routing.ts'
import { security } from './en/security.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { states } from './en/states.ts'
import { steps } from './en/steps.ts'
import { table } from './en/table.ts'
import { teams } from './en/teams.ts'
import { tokens } from './en/tokens.ts'
import { topup } from './en/topup.ts'
import { users } from './en/users.ts'

/** The source of all words. A new feature is a file here, one in `zh/`, and a line in both tables. */
export const en = {
  common,
  pages,
  shell,
  palette,
  playground,
  connect,
  failures,
  states,
  table,
  filters,
  forms,
  auth,
  home,
  about,
  chat,
  users,
  channels,
  teams,
  tokens,
  redemptions,
  models,
  prices,
  routing,
  reasons,
  topup,
  logs,
  history,
  security,
  overview,
  steps,
  settings,
}
