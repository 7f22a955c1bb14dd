import { type Route, route } from '#server/http/mount.ts'
import { startExternal } from '#server/identity/external-state.ts'
import { authApi } from '#shared/api/auth.ts'
import { requestReset, resetPassword, sendVerification } from './email.service.ts'
import { bindEmail, changeEmail } from './email-binding.service.ts'
import { finishGithub } from './github.service.ts'
import { logIn, logOut } from './login.service.ts'
import { register } from './register.service.ts'
import { wechatBind, wechatLogin } from './wechat.service.ts'

export const authRoutes: Route[] = [
  route(authApi.login, logIn),
  route(authApi.logout, logOut),
  route(authApi.register, register),
  route(authApi.verification, sendVerification),
  route(authApi.resetRequest, requestReset),
  route(authApi.reset, resetPassword),
  route(authApi.oauthState, (call) => startExternal(call)),
  route(authApi.oauthBind, (call) => startExternal(call)),
  route(authApi.github, finishGithub),
  route(authApi.wechat, wechatLogin),
  route(authApi.wechatBind, wechatBind),
  route(authApi.wechatBindProven, wechatBind),
  route(authApi.emailBind, bindEmail),
  route(authApi.emailChange, changeEmail),
]
