import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { Status } from '#shared/api/status.ts'
import type { Access } from '#shared/roles.ts'
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

const chunkTimeout = 120_000

function withinTimeout<Module>(loading: Promise<Module>): Promise<Module> {
  const { promise, resolve, reject } = Promise.withResolvers<Module>()
  const timer = setTimeout(() => reject(new Error('Loading the page took too long')), chunkTimeout)
  loading.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}

type Rest = Pick<Page, 'access'> & Partial<Pick<Page, 'nav' | 'when' | 'under' | 'bare'>>

/** A page whose code is fetched when it is first needed. `pick` names the component in its module. */
function page<Module>(
  path: string,
  name: PageName,
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType,
  rest: Rest,
): Page {
  const component = lazy(async () => ({ default: pick(await withinTimeout(load())) }))
  return { path, name, component, load, ...rest }
}

/** Every page of the console; in each group of the navigation they stand in this order. */
export const pages: readonly Page[] = [
  page(
    '/',
    'home',
    () => import('./landing.tsx'),
    (m) => m.Landing,
    { access: 'public', nav: 'use' },
  ),
  page(
    '/playground',
    'playground',
    () => import('#web/features/playground/playground-page.tsx'),
    (m) => m.PlaygroundPage,
    { access: 'user', nav: 'use' },
  ),
  page(
    '/welcome',
    'home',
    () => import('#web/features/home/home-page.tsx'),
    (m) => m.HomePage,
    { access: 'public', under: '/' },
  ),
  page(
    '/statement',
    'statement',
    () => import('#web/features/overview/statement-page.tsx'),
    (m) => m.StatementPage,
    { access: 'user', under: '/' },
  ),
  page(
    '/model',
    'models',
    () => import('#web/features/models/models-page.tsx'),
    (m) => m.ModelsPage,
    { access: 'public', nav: 'use' },
  ),
  page(
    '/token',
    'tokens',
    () => import('#web/features/tokens/tokens-page.tsx'),
    (m) => m.TokensPage,
    { access: 'user', nav: 'use' },
  ),
  page(
    '/token/add',
    'tokenAdd',
    () => import('#web/features/tokens/token-form-page.tsx'),
    (m) => m.TokenFormPage,
    { access: 'user' },
  ),
  page(
    '/token/edit/:id',
    'tokenEdit',
    () => import('#web/features/tokens/token-form-page.tsx'),
    (m) => m.TokenFormPage,
    { access: 'user' },
  ),
  page(
    '/log',
    'log',
    () => import('#web/features/logs/logs-page.tsx'),
    (m) => m.LogsPage,
    { access: 'user', nav: 'use' },
  ),
  page(
    '/topup',
    'topup',
    () => import('#web/features/topup/topup-page.tsx'),
    (m) => m.TopupPage,
    { access: 'user', nav: 'use' },
  ),
  page(
    '/channel',
    'channels',
    () => import('#web/features/channels/channels-page.tsx'),
    (m) => m.ChannelsPage,
    { access: 'admin', nav: 'operate' },
  ),
  page(
    '/channel/add',
    'channelAdd',
    () => import('#web/features/channels/channel-form-page.tsx'),
    (m) => m.ChannelFormPage,
    { access: 'admin' },
  ),
  page(
    '/channel/edit/:id',
    'channelEdit',
    () => import('#web/features/channels/channel-form-page.tsx'),
    (m) => m.ChannelFormPage,
    { access: 'admin' },
  ),
  page(
    '/routing',
    'routing',
    () => import('#web/features/routing/explain-page.tsx'),
    (m) => m.ExplainPage,
    { access: 'admin', nav: 'operate' },
  ),
  page(
    '/routing/simulate',
    'routingSimulate',
    () => import('#web/features/routing/simulate-page.tsx'),
    (m) => m.SimulatePage,
    { access: 'admin' },
  ),
  page(
    '/price',
    'prices',
    () => import('#web/features/prices/prices-page.tsx'),
    (m) => m.PricesPage,
    { access: 'admin', nav: 'operate' },
  ),
  page(
    '/price/sync',
    'priceSync',
    () => import('#web/features/prices/price-sync-page.tsx'),
    (m) => m.PriceSyncPage,
    { access: 'admin' },
  ),
  page(
    '/user',
    'users',
    () => import('#web/features/users/users-page.tsx'),
    (m) => m.UsersPage,
    { access: 'admin', nav: 'operate' },
  ),
  page(
    '/user/add',
    'userAdd',
    () => import('#web/features/users/user-add-page.tsx'),
    (m) => m.UserAddPage,
    { access: 'admin' },
  ),
  page(
    '/user/edit/:id',
    'userEdit',
    () => import('#web/features/users/user-edit-page.tsx'),
    (m) => m.UserEditPage,
    { access: 'admin' },
  ),
  page(
    '/user/edit',
    'profile',
    () => import('#web/features/users/profile-page.tsx'),
    (m) => m.ProfilePage,
    { access: 'user', under: '/setting' },
  ),
  page(
    '/team',
    'teams',
    () => import('#web/features/teams/teams-page.tsx'),
    (m) => m.TeamsPage,
    { access: 'user', nav: 'use' },
  ),
  page(
    '/team/:id',
    'team',
    () => import('#web/features/teams/team-page.tsx'),
    (m) => m.TeamPage,
    { access: 'user', under: '/team' },
  ),
  page(
    '/redemption',
    'redemptions',
    () => import('#web/features/redemptions/redemptions-page.tsx'),
    (m) => m.RedemptionsPage,
    { access: 'admin', nav: 'operate' },
  ),
  page(
    '/redemption/add',
    'redemptionAdd',
    () => import('#web/features/redemptions/redemption-form-page.tsx'),
    (m) => m.RedemptionFormPage,
    { access: 'admin' },
  ),
  page(
    '/redemption/edit/:id',
    'redemptionEdit',
    () => import('#web/features/redemptions/redemption-form-page.tsx'),
    (m) => m.RedemptionFormPage,
    { access: 'admin' },
  ),
  page(
    '/history',
    'history',
    () => import('#web/features/history/history-page.tsx'),
    (m) => m.HistoryPage,
    { access: 'admin', nav: 'operate' },
  ),
  page(
    '/setting',
    'settings',
    () => import('#web/features/settings/settings-page.tsx'),
    (m) => m.SettingsPage,
    { access: 'user', nav: 'more' },
  ),
  page(
    '/about',
    'about',
    () => import('#web/features/about/about-page.tsx'),
    (m) => m.AboutPage,
    { access: 'public', nav: 'more' },
  ),
  page(
    '/chat',
    'chat',
    () => import('#web/features/chat/chat-page.tsx'),
    (m) => m.ChatPage,
    { access: 'public', nav: 'more', when: (status) => status.chat_link !== '' },
  ),
  page(
    '/login',
    'login',
    () => import('#web/features/auth/login-page.tsx'),
    (m) => m.LoginPage,
    { access: 'public', bare: true },
  ),
  page(
    '/register',
    'register',
    () => import('#web/features/auth/register-page.tsx'),
    (m) => m.RegisterPage,
    { access: 'public', bare: true },
  ),
  page(
    '/reset',
    'reset',
    () => import('#web/features/auth/reset-page.tsx'),
    (m) => m.ResetPage,
    { access: 'public', bare: true },
  ),
  page(
    '/user/reset',
    'reset',
    () => import('#web/features/auth/reset-confirm-page.tsx'),
    (m) => m.ResetConfirmPage,
    { access: 'public', bare: true },
  ),
  page(
    '/oauth/github',
    'oauth',
    () => import('#web/features/auth/github-page.tsx'),
    (m) => m.GithubPage,
    { access: 'public', bare: true },
  ),
  page(
    '/oauth/oidc',
    'oidc',
    () => import('#web/features/auth/oidc-page.tsx'),
    (m) => m.OidcPage,
    { access: 'public', bare: true },
  ),
]
