import { useTranslation } from '#web/lib/i18n.ts'
import { type Entry, type EntryGroup, useActionEntries, usePageEntries } from './palette-entries.ts'
import { atMostTen, bestFirst } from './rank.ts'
import { recentPaths } from './recent-pages.ts'
import { useFoundThings } from './use-found-things.ts'
import { usePageActions } from './use-page-actions.ts'

export const holds = (words: string) => (entry: Entry) => entry.label.toLowerCase().includes(words.toLowerCase())

/** Without words: the pages visited last, then what can be done on this one. Who has just come is shown where to go. */
function useStart(pages: readonly Entry[]): EntryGroup[] {
  const { t } = useTranslation()
  const recent = recentPaths().flatMap((path) => pages.find(({ to }) => to === path) ?? [])
  return [
    recent.length > 0 ? { name: t('palette.recent'), entries: recent } : { name: t('palette.pages'), entries: pages },
    { name: t('palette.here'), entries: usePageActions() },
  ]
}

/** Pages, things and actions for the words typed; the log is searched where nothing has the name. */
export function useResults(words: string): EntryGroup[] {
  const { t } = useTranslation()
  const pages = usePageEntries()
  const start = useStart(pages)
  const actions = useActionEntries().filter(holds(words))
  const { groups, doing, searching } = useFoundThings(words)
  if (words === '') return atMostTen(start)
  const things = bestFirst([{ name: t('palette.pages'), entries: pages.filter(holds(words)) }, ...groups], words)
  const [first, ...others] = doing
  const found = atMostTen(
    [...things, { name: t('palette.do'), entries: [...(first?.entries ?? []), ...actions] }, ...others].filter(
      ({ entries }) => entries.length > 0,
    ),
  )
  if (found.length > 0 || searching) return found
  const to = `/log?token_name=${encodeURIComponent(words)}`
  return [
    {
      name: t('palette.none', { words }),
      entries: [{ id: 'log', label: t('palette.searchLog', { words }), to }],
    },
  ]
}
