import { type Route, route } from '#server/http/mount.ts'
import { identityApi } from '#shared/api/identity.ts'
import { sessionsApi } from '#shared/api/sessions.ts'
import { passkeyLogin, passkeyLoginOptions, secondLogin, secondLoginOptions } from './login.service.ts'
import { changePasskeyName, createPasskey, passkeyOptions, passkeyPage, removePasskey } from './passkeys.service.ts'
import { removeOtherSessions, removeSession, sessionPage } from './sessions.service.ts'
import { confirmTotp, disableTotp, renewRecoveryCodes, secondFactors, startTotp } from './totp.service.ts'

export const identityRoutes: readonly Route[] = [
  route(identityApi.secondFactor, secondFactors),
  route(identityApi.totpStart, startTotp),
  route(identityApi.totpConfirm, confirmTotp),
  route(identityApi.totpRecovery, renewRecoveryCodes),
  route(identityApi.totpDisable, disableTotp),
  route(identityApi.passkeyOptions, passkeyOptions),
  route(identityApi.passkeyCreate, createPasskey),
  route(identityApi.passkeys, passkeyPage),
  route(identityApi.passkeyRename, changePasskeyName),
  route(identityApi.passkeyRemove, removePasskey),
  route(identityApi.passkeyLoginOptions, passkeyLoginOptions),
  route(identityApi.passkeyLogin, passkeyLogin),
  route(identityApi.secondLoginOptions, secondLoginOptions),
  route(identityApi.secondLogin, secondLogin),
  route(sessionsApi.list, sessionPage),
  route(sessionsApi.removeOthers, removeOtherSessions),
  route(sessionsApi.remove, removeSession),
]
