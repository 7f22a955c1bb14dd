import type { ComponentType, LazyExoticComponent } from 'react'
import type { Status } from '#shared/api/status.ts'
import type { Access } from '#shared/roles.ts'
import { lazyPage } from './lazy-page.ts'
import type { PageName } from './page-name.ts'

export type NavGroup = (typeof navGroups)[number]

/** What everyone uses, what administrators operate, and the rest at the bottom. */
export const navGroups = ['use', 'operate', 'more'] as const

export interface Page {
  path: string
  /** Key of its name in the locale's `pages`: for the navigation, the title and the loading line. */
  name: PageName
  component: LazyExoticComponent<ComponentType>
  load: () => Promise<unknown>
  access: Access
  /** The group of the navigation it stands in. */
  nav?: NavGroup
  /** Shown in the navigation only while this holds. */
  when?: (status: Status) => boolean
  /** The item of the navigation it belongs to, where its address says otherwise. */
  under?: string
  /** Without navigation and footer. */
  bare?: boolean
}

type Place = Omit<Page, 'component' | 'load'>

/** A page whose code is fetched when it is first needed. `pick` names the component in its module. */
function page<Module>(place: Place, load: () => Promise<Module>, pick: (module: Module) => ComponentType): Page {
  return { ...place, component: lazyPage(load, pick), load }
}

/** Every page of the console; in each group of the navigation they stand in this order. */
export const pages: readonly Page[] = [
  page(
    { path: '/', name: 'home', access: 'public', nav: 'use' },
    () => import('./landing/landing.tsx'),
    (m) => m.Landing,
  ),
  page(
    { path: '/playground', name: 'playground', access: 'user', nav: 'use' },
    () => import('#web/features/playground/playground-page.tsx'),
    (m) => m.PlaygroundPage,
  ),
  page(
    { path: '/welcome', name: 'home', access: 'public', under: '/' },
    () => import('./landing/landing.tsx'),
    (m) => m.WelcomePage,
  ),
  page(
    { path: '/statement', name: 'statement', access: 'user', under: '/' },
    () => import('#web/features/overview/statement-page.tsx'),
    (m) => m.StatementPage,
  ),
  page(
    { path: '/model', name: 'models', access: 'public', nav: 'use' },
    () => import('#web/features/models/models-page.tsx'),
    (m) => m.ModelsPage,
  ),
  page(
    { path: '/token', name: 'tokens', access: 'user', nav: 'use' },
    () => import('#web/features/tokens/tokens-page.tsx'),
    (m) => m.TokensPage,
  ),
  page(
    { path: '/token/add', name: 'tokenAdd', access: 'user' },
    () => import('#web/features/tokens/token-form-page.tsx'),
    (m) => m.TokenFormPage,
  ),
  page(
    { path: '/token/edit/:id', name: 'tokenEdit', access: 'user' },
    () => import('#web/features/tokens/token-form-page.tsx'),
    (m) => m.TokenFormPage,
  ),
  page(
    { path: '/log', name: 'log', access: 'user', nav: 'use' },
    () => import('#web/features/logs/logs-page.tsx'),
    (m) => m.LogsPage,
  ),
  page(
    { path: '/topup', name: 'topup', access: 'user', nav: 'use' },
    () => import('#web/features/topup/topup-page.tsx'),
    (m) => m.TopupPage,
  ),
  page(
    { path: '/channel', name: 'channels', access: 'admin', nav: 'operate' },
    () => import('#web/features/channels/channels-page.tsx'),
    (m) => m.ChannelsPage,
  ),
  page(
    { path: '/channel/add', name: 'channelAdd', access: 'admin' },
    () => import('#web/features/channels/form/channel-form-page.tsx'),
    (m) => m.ChannelFormPage,
  ),
  page(
    { path: '/channel/edit/:id', name: 'channelEdit', access: 'admin' },
    () => import('#web/features/channels/form/channel-form-page.tsx'),
    (m) => m.ChannelFormPage,
  ),
  page(
    { path: '/routing', name: 'routing', access: 'admin', nav: 'operate' },
    () => import('#web/features/routing/explain-page.tsx'),
    (m) => m.ExplainPage,
  ),
  page(
    { path: '/routing/simulate', name: 'routingSimulate', access: 'admin' },
    () => import('#web/features/routing/simulate-page.tsx'),
    (m) => m.SimulatePage,
  ),
  page(
    { path: '/price', name: 'prices', access: 'admin', nav: 'operate' },
    () => import('#web/features/prices/prices-page.tsx'),
    (m) => m.PricesPage,
  ),
  page(
    { path: '/price/sync', name: 'priceSync', access: 'admin' },
    () => import('#web/features/prices/price-sync-page.tsx'),
    (m) => m.PriceSyncPage,
  ),
  page(
    { path: '/user', name: 'users', access: 'admin', nav: 'operate' },
    () => import('#web/features/users/users-page.tsx'),
    (m) => m.UsersPage,
  ),
  page(
    { path: '/user/add', name: 'userAdd', access: 'admin' },
    () => import('#web/features/users/user-add-page.tsx'),
    (m) => m.UserAddPage,
  ),
  page(
    { path: '/user/edit/:id', name: 'userEdit', access: 'admin' },
    () => import('#web/features/users/user-edit-page.tsx'),
    (m) => m.UserEditPage,
  ),
  page(
    { path: '/user/edit', name: 'profile', access: 'user', under: '/setting' },
    () => import('#web/features/users/profile-page.tsx'),
    (m) => m.ProfilePage,
  ),
  page(
    { path: '/team', name: 'teams', access: 'user', nav: 'use' },
    () => import('#web/features/teams/teams-page.tsx'),
    (m) => m.TeamsPage,
  ),
  page(
    { path: '/team/:id', name: 'team', access: 'user', under: '/team' },
    () => import('#web/features/teams/team-page.tsx'),
    (m) => m.TeamPage,
  ),
  page(
    { path: '/redemption', name: 'redemptions', access: 'admin', nav: 'operate' },
    () => import('#web/features/redemptions/redemptions-page.tsx'),
    (m) => m.RedemptionsPage,
  ),
  page(
    { path: '/redemption/add', name: 'redemptionAdd', access: 'admin' },
    () => import('#web/features/redemptions/redemption-form-page.tsx'),
    (m) => m.RedemptionFormPage,
  ),
  page(
    { path: '/redemption/edit/:id', name: 'redemptionEdit', access: 'admin' },
    () => import('#web/features/redemptions/redemption-form-page.tsx'),
    (m) => m.RedemptionFormPage,
  ),
  page(
    { path: '/history', name: 'history', access: 'admin', nav: 'operate' },
    () => import('#web/features/history/history-page.tsx'),
    (m) => m.HistoryPage,
  ),
  page(
    { path: '/setting', name: 'settings', access: 'user', nav: 'more' },
    () => import('#web/features/settings/settings-page.tsx'),
    (m) => m.SettingsPage,
  ),
  page(
    { path: '/about', name: 'about', access: 'public', nav: 'more' },
    () => import('#web/features/about/about-page.tsx'),
    (m) => m.AboutPage,
  ),
  page(
    { path: '/chat', name: 'chat', access: 'public', nav: 'more', when: (status) => status.chat_link !== '' },
    () => import('#web/features/chat/chat-page.tsx'),
    (m) => m.ChatPage,
  ),
  page(
    { path: '/login', name: 'login', access: 'public', bare: true },
    () => import('#web/features/auth/login-page.tsx'),
    (m) => m.LoginPage,
  ),
  page(
    { path: '/register', name: 'register', access: 'public', bare: true },
    () => import('#web/features/auth/register-page.tsx'),
    (m) => m.RegisterPage,
  ),
  page(
    { path: '/reset', name: 'reset', access: 'public', bare: true },
    () => import('#web/features/auth/reset-page.tsx'),
    (m) => m.ResetPage,
  ),
  page(
    { path: '/user/reset', name: 'reset', access: 'public', bare: true },
    () => import('#web/features/auth/reset-confirm-page.tsx'),
    (m) => m.ResetConfirmPage,
  ),
  page(
    { path: '/oauth/github', name: 'oauth', access: 'public', bare: true },
    () => import('#web/features/auth/github-page.tsx'),
    (m) => m.GithubPage,
  ),
  page(
    { path: '/oauth/oidc', name: 'oidc', access: 'public', bare: true },
    () => import('#web/features/auth/oidc-page.tsx'),
    (m) => m.OidcPage,
  ),
]
