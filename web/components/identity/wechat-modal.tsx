import { lazy, Suspense, useEffect, useState } from 'react'
import type { WechatProps } from './wechat-dialog.tsx'

const WechatDialog = lazy(async () => ({ default: (await import('./wechat-dialog.tsx')).WechatDialog }))

/** The messaging-app dialog, fetched when it is first opened. */
export function WechatModal(props: WechatProps) {
  const [wanted, setWanted] = useState(props.opened)
  useEffect(() => {
    if (props.opened) setWanted(true)
  }, [props.opened])
  return <Suspense>{wanted && <WechatDialog {...props} />}</Suspense>
}
