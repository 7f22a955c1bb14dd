import { useEffect, useState } from 'react'

/** Below the bar, and a little more: a section counts as reached when its heading stands here. */
const readingLine = 120

function reachedSection(ids: readonly string[]): string {
  const page = document.documentElement
  const atEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= page.scrollHeight - 2
  if (atEnd) return ids.at(-1) ?? ''
  const reached = ids.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? 0) <= readingLine)
  return reached.at(-1) ?? ids[0] ?? ''
}

/** The section one is reading, of those with these ids. */
export function useCurrentSection(ids: readonly string[]): string {
  const [current, setCurrent] = useState(ids[0] ?? '')
  const key = ids.join(' ')
  useEffect(() => {
    const follow = () => setCurrent(reachedSection(key.split(' ')))
    follow()
    window.addEventListener('scroll', follow, { passive: true })
    window.addEventListener('resize', follow)
    return () => {
      window.removeEventListener('scroll', follow)
      window.removeEventListener('resize', follow)
    }
  }, [key])
  return ids.includes(current) ? current : (ids[0] ?? '')
}
