import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { type Status, statusApi } from '#shared/api/status.ts'
import { quotaPerUnitDefault } from '#shared/quota.ts'
import { call } from '#web/lib/api.ts'
import { ownReport } from '#web/lib/failures.ts'
import type { QuotaDisplay } from '#web/lib/format.ts'
import { translateNow } from '#web/lib/i18n.ts'
import { readStored, store } from '#web/lib/storage.ts'
import { toast } from '#web/lib/toast.tsx'

/** What the console shows until the server has answered for the first time. */
const unknownStatus: Status = {
  version: '',
  start_time: 0,
  system_name: 'Switchyard',
  logo: '',
  footer_html: '',
  theme: 'default',
  quota_per_unit: quotaPerUnitDefault,
  display_in_currency: true,
  chat_link: '',
  top_up_link: '',
  server_address: '',
  password_login: true,
  password_register: true,
  register: true,
  models_public: false,
  turnstile_check: false,
  turnstile_site_key: '',
  email_verification: false,
  github_oauth: false,
  github_client_id: '',
  github_authorize_url: '',
  oidc_login: false,
  oidc_name: '',
  passkey_login: false,
  wechat_login: false,
  wechat_qrcode: '',
}

async function fetchStatus(): Promise<Status> {
  try {
    const status = await call(statusApi.status)
    store('status', status)
    for (const key of ['system_name', 'logo', 'footer_html'] as const) store(key, status[key])
    store('quota_per_unit', status.quota_per_unit)
    store('display_in_currency', status.display_in_currency)
    return status
  } catch (error) {
    toast.error(translateNow('shell.noConnection'))
    throw error
  }
}

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: fetchStatus,
  staleTime: Number.POSITIVE_INFINITY,
  meta: ownReport,
})

interface KnownStatus {
  status: Status
  /** The server has answered, now or on an earlier visit. */
  known: boolean
}

const StatusContext = createContext<KnownStatus>({ status: unknownStatus, known: false })

export function StatusProvider({ children }: { children: ReactNode }) {
  const [kept] = useState(() => readStored('status'))
  const query = useQuery(statusQuery)
  const data = query.data ?? kept
  return <StatusContext value={{ status: data ?? unknownStatus, known: data !== undefined }}>{children}</StatusContext>
}

export const useStatus = (): Status => useContext(StatusContext).status

export const useStatusKnown = (): boolean => useContext(StatusContext).known

export function useQuotaDisplay(): QuotaDisplay {
  const { display_in_currency, quota_per_unit } = useStatus()
  return { inCurrency: display_in_currency, quotaPerUnit: quota_per_unit }
}
