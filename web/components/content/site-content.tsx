import { lazy, Suspense } from 'react'
import { SiteFrame } from './site-frame.tsx'

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

const isAddress = (content: string): boolean => /^https?:\/\/\S+$/.test(content.trim())

/** What an administrator wrote, as Markdown or HTML. */
export function SiteText({ content }: { content: string }) {
  return (
    <Suspense>
      <Markdown text={content} />
    </Suspense>
  )
}

/** What an administrator configured for a page: an address is shown in a frame, anything else as text. */
export function SiteContent({ content, title }: { content: string; title: string }) {
  return isAddress(content) ? <SiteFrame address={content.trim()} title={title} /> : <SiteText content={content} />
}
