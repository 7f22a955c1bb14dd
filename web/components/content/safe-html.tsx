import createDOMPurify from 'dompurify'
import { useMemo } from 'react'
import styles from './markdown.module.css'

const purify = createDOMPurify(window)

purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'IMG' && !node.hasAttribute('alt')) node.setAttribute('alt', '')
  if (node.tagName === 'A' && node.getAttribute('target') === '_blank') node.setAttribute('rel', 'noopener noreferrer')
})

/** What could restyle the console, or pass for a part of it that asks for something. */
const forbidden = ['style', 'form', 'input', 'button', 'textarea', 'select', 'dialog']

/** HTML that an administrator wrote, without anything that could act. */
export function SafeHtml({ html }: { html: string }) {
  const clean = useMemo(
    () => purify.sanitize(html, { USE_PROFILES: { html: true }, ADD_ATTR: ['target'], FORBID_TAGS: forbidden }),
    [html],
  )
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised on the line above
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: clean }} />
}
