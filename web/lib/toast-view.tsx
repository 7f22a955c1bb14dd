import { useMediaQuery } from '@mantine/hooks'
import { Notifications, notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { translateNow } from './i18n.ts'
import { restFocus } from './keys.ts'
import styles from './toast.module.css'
import { actionDuration, type ToastKind, type ToastOptions, toastDuration } from './toast-kinds.ts'

const look = {
  success: { icon: IconCheck, color: 'green' },
  info: { icon: IconInfoCircle, color: 'petrol' },
  warning: { icon: IconAlertTriangle, color: 'orange' },
  error: { icon: IconX, color: 'red' },
  notice: { icon: IconInfoCircle, color: 'petrol' },
} as const

function Offer({ action, onPress }: { action: NonNullable<ToastOptions['action']>; onPress: () => void }) {
  return (
    <span className={styles.offer}>
      <button type="button" className={styles.action} onClick={onPress}>
        {action.label}
      </button>
      <span className={styles.hint}>{action.hint}</span>
    </span>
  )
}

const durationOf = (kind: ToastKind, { keep, action }: ToastOptions): number | false => {
  if (keep) return false
  return action ? actionDuration : toastDuration[kind]
}

let shown = 0

export function showToast(kind: ToastKind, message: ReactNode, options: ToastOptions = {}): void {
  const { icon: Icon, color } = look[kind]
  const { action } = options
  shown += 1
  const id = options.id ?? `toast-${shown}`
  const press = () => {
    restFocus()
    notifications.hide(id)
    void action?.run()
  }
  notifications.show({
    id,
    message: action ? (
      <>
        {message}
        <Offer action={action} onPress={press} />
      </>
    ) : (
      message
    ),
    color,
    role: kind === 'error' || kind === 'warning' ? 'alert' : 'status',
    autoClose: durationOf(kind, options),
    icon: <Icon size={16} stroke={1.8} aria-hidden />,
    classNames: { root: styles.root, icon: styles.icon, description: styles.text, closeButton: styles.close },
    // Good news goes by itself, before anyone could close it.
    withCloseButton: kind !== 'success' || action !== undefined || options.keep === true,
    closeButtonProps: { 'aria-label': translateNow('common.close') },
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
