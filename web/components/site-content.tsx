import { lazy, Suspense } from 'react'
import styles from './markdown.module.css'

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

const isAddress = (content: string): boolean => /^https?:\/\/\S+$/.test(content.trim())

/** What an administrator configured: an address is shown in a frame, anything else as Markdown or HTML. */
export function SiteContent({ content, title }: { content: string; title: string }) {
  if (isAddress(content))
    return (
      <iframe
        className={styles.frame}
        src={content.trim()}
        title={title}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
        referrerPolicy="no-referrer"
      />
    )
  return (
    <Suspense>
      <Markdown text={content} />
    </Suspense>
  )
}
