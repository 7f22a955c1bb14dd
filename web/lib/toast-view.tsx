import { useMediaQuery } from '@mantine/hooks'
import { Notifications, notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { say } from './i18n.ts'
import styles from './toast.module.css'
import { type ToastKind, type ToastOptions, toastDuration } from './toast-kinds.ts'

const look = {
  success: { icon: IconCheck, color: 'green' },
  info: { icon: IconInfoCircle, color: 'petrol' },
  warning: { icon: IconAlertTriangle, color: 'orange' },
  error: { icon: IconX, color: 'red' },
  notice: { icon: IconInfoCircle, color: 'petrol' },
} as const

export function showToast(kind: ToastKind, message: ReactNode, { keep = false, id }: ToastOptions = {}): void {
  const { icon: Icon, color } = look[kind]
  notifications.show({
    ...(id === undefined ? {} : { id }),
    message,
    color,
    role: kind === 'error' || kind === 'warning' ? 'alert' : 'status',
    autoClose: keep ? false : toastDuration[kind],
    icon: <Icon size={16} stroke={1.8} aria-hidden />,
    classNames: { root: styles.root, icon: styles.icon, description: styles.text, closeButton: styles.close },
    closeButtonProps: { 'aria-label': say('common.close') },
    'data-kind': kind,
  })
}

export function Toasts() {
  const narrow = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false })
  return (
    <Notifications
      position={narrow ? 'top-center' : 'top-right'}
      containerWidth={320}
      limit={6}
      autoClose={toastDuration.error}
      transitionDuration={80}
    />
  )
}
