import type { en } from './en.ts'
import type { Words } from './words.ts'
import { about } from './zh/about.ts'
import { auth } from './zh/auth.ts'
import { channels } from './zh/channels.ts'
import { chat } from './zh/chat.ts'
import { common } from './zh/common.ts'
import { failures } from './zh/failures.ts'
import { forms } from './zh/forms.ts'
import { home } from './zh/home.ts'
import { logs } from './zh/logs.ts'
import { options } from './zh/options.ts'
import { pages } from './zh/pages.ts'
import { redemptions } from './zh/redemptions.ts'
import { settings } from './zh/settings.ts'
import { shell } from './zh/shell.ts'
import { states } from './zh/states.ts'
import { table } from './zh/table.ts'
import { tokens } from './zh/tokens.ts'
import { topup } from './zh/topup.ts'
import { users } from './zh/users.ts'

export const zh = {
  common,
  pages,
  shell,
  failures,
  states,
  table,
  forms,
  auth,
  home,
  about,
  chat,
  users,
  channels,
  tokens,
  redemptions,
  topup,
  logs,
  settings,
  options,
} satisfies Words<typeof en>
