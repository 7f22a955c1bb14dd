import type { Locale } from './locale.ts'
import { about } from './zh/about.ts'
import { auth } from './zh/auth.ts'
import { channelTypes } from './zh/channel-types.ts'
import { channels } from './zh/channels.ts'
import { chat } from './zh/chat.ts'
import { common } from './zh/common.ts'
import { connect } from './zh/connect.ts'
import { errors } from './zh/errors.ts'
import { failures } from './zh/failures.ts'
import { faults } from './zh/faults.ts'
import { fieldNames } from './zh/field-names.ts'
import { filters } from './zh/filters.ts'
import { forms } from './zh/forms.ts'
import { history } from './zh/history.ts'
import { home } from './zh/home.ts'
import { logEvents } from './zh/log-events.ts'
import { logs } from './zh/logs.ts'
import { models } from './zh/models.ts'
import { options } from './zh/options.ts'
import { overview } from './zh/overview.ts'
import { pages } from './zh/pages.ts'
import { palette } from './zh/palette.ts'
import { playground } from './zh/playground.ts'
import { prices } from './zh/prices.ts'
import { reasons } from './zh/reasons.ts'
import { redemptions } from './zh/redemptions.ts'
import { routing } from './zh/routing.ts'
import { security } from './zh/security.ts'
import { settings } from './zh/settings.ts'
import { shell } from './zh/shell.ts'
import { states } from './zh/states.ts'
import { steps } from './zh/steps.ts'
import { table } from './zh/table.ts'
import { teams } from './zh/teams.ts'
import { tokens } from './zh/tokens.ts'
import { topup } from './zh/topup.ts'
import { users } from './zh/users.ts'

const words = {
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

export const zh: Locale = { words, errors, faults, logEvents, fieldNames, options, channelTypes }
