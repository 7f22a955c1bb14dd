import { useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'

export function Toasts() {
  const narrow = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false })
  return (
    <Notifications
      position={narrow ? 'top-center' : 'top-right'}
      containerWidth={320}
      limit={6}
      autoClose={5000}
      transitionDuration={80}
    />
  )
}
