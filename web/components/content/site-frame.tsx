import { useLayoutEffect } from 'react'
import styles from './markdown.module.css'

/** Another document for this page, once: the mark survives the reload, and a link that comes here again starts without it. */
function reloadOnce(): void {
  if (window.history.state?.reloaded) return
  window.history.replaceState({ ...window.history.state, reloaded: true }, '')
  window.location.reload()
}

/** A page's content security policy is fixed when it loads: to frame an address configured since, the page is loaded anew. */
function useReloadWhenRefused(): void {
  useLayoutEffect(() => {
    const follow = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'frame-src') reloadOnce()
    }
    document.addEventListener('securitypolicyviolation', follow)
    return () => document.removeEventListener('securitypolicyviolation', follow)
  }, [])
}

/** Another site in the page. */
export function SiteFrame({ address, title }: { address: string; title: string }) {
  useReloadWhenRefused()
  return (
    <iframe
      className={styles.frame}
      src={address}
      title={title}
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
      referrerPolicy="no-referrer"
    />
  )
}
