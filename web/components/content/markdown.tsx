import { marked } from 'marked'
import { useMemo } from 'react'
import { SafeHtml } from './safe-html.tsx'

/** Markdown, or HTML, which is Markdown too. Import it lazily: it brings its parser. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => marked.parse(text, { async: false, gfm: true }), [text])
  return <SafeHtml html={html} />
}
