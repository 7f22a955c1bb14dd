import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { i18n } from './i18n.ts'
import styles from './toast.module.css'

/** Milliseconds before a toast goes. */
export const toastDuration = { success: 1500, info: 3000, error: 5000, warning: 10000, notice: 20000 } as const

type Kind = keyof typeof toastDuration

const look = {
  success: { icon: IconCheck, color: 'green' },
  info: { icon: IconInfoCircle, color: 'petrol' },
  warning: { icon: IconAlertTriangle, color: 'orange' },
  error: { icon: IconX, color: 'red' },
  notice: { icon: IconInfoCircle, color: 'petrol' },
} as const

interface Options {
  /** Stays until it is closed. */
  keep?: boolean
  /** A toast of this name that is on the screen is not shown again. */
  id?: string
}

function show(kind: Kind, message: ReactNode, { keep = false, id }: Options = {}): void {
  const { icon: Icon, color } = look[kind]
  notifications.show({
    ...(id === undefined ? {} : { id }),
    message,
    color,
    role: kind === 'error' || kind === 'warning' ? 'alert' : 'status',
    autoClose: keep ? false : toastDuration[kind],
    icon: <Icon size={16} stroke={1.8} aria-hidden />,
    classNames: { root: styles.root, icon: styles.icon, description: styles.text, closeButton: styles.close },
    closeButtonProps: { 'aria-label': i18n.t('common.close') },
    'data-kind': kind,
  })
}

const shower = (kind: Kind) => (message: ReactNode, options?: Options) => show(kind, message, options)

export const toast = {
  success: shower('success'),
  info: shower('info'),
  warning: shower('warning'),
  error: shower('error'),
  notice: shower('notice'),
}
