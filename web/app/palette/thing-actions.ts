import { type Channel, channelsApi } from '#shared/api/channels.ts'
import { channelStatus } from '#shared/statuses.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { reportFailure, reporting } from '#web/lib/failures.ts'
import { formatSeconds } from '#web/lib/format.ts'
import type { TFunction } from '#web/lib/i18n.ts'
import { refusalText } from '#web/lib/messages.ts'
import { toast } from '#web/lib/toast.tsx'
import type { Entry, EntryGroup } from './palette-entries.ts'

async function test(t: TFunction, { id, name }: Channel, onChanged: () => unknown) {
  try {
    const { time } = await call(channelsApi.test, { id })
    toast.success(t('channels.tested', { name, time: formatSeconds(time * 1000) }))
  } catch (error) {
    if (!(error instanceof ApiError)) return reportFailure(error)
    toast.error(t('channels.testFailed', { name, reason: refusalText(error) }))
  }
  void onChanged()
}

async function toggle(t: TFunction, { id, status }: Channel, onChanged: () => unknown) {
  const wanted = status === channelStatus.enabled ? channelStatus.manuallyDisabled : channelStatus.enabled
  await reporting(call(channelsApi.update, { id, status: wanted }))
  void onChanged()
  toast.success(t('common.done'))
}

/** The log narrowed to one thing, and what was changed of it. */
const past = (t: TFunction, thing: { name: string; log: string; history?: string }): Entry[] => [
  { id: `log ${thing.log}`, label: t('palette.requestsOf', { name: thing.name }), letter: 'L', to: thing.log },
  ...(thing.history === undefined
    ? []
    : [{ id: thing.history, label: t('palette.changesOf', { name: thing.name }), letter: 'H', to: thing.history }]),
]

const edit = (t: TFunction, name: string, to: string): Entry => ({
  id: `edit ${to}`,
  label: `${t('common.edit')} ${name}`,
  letter: 'E',
  to,
})

/** Requests that run would go elsewhere at once, so switching off is asked about. */
function switchAction(t: TFunction, channel: Channel, onChanged: () => unknown): Entry {
  const { id, name, status } = channel
  const run = () => toggle(t, channel, onChanged)
  if (status !== channelStatus.enabled)
    return { id: `toggle ${id}`, label: `${t('common.enable')} ${name}`, letter: 'D', run }
  return {
    id: `toggle ${id}`,
    label: `${t('common.disable')} ${name}`,
    hint: t('palette.asksFirst'),
    letter: 'D',
    asks: true,
    actions: [{ id: `sure ${id}`, label: t('palette.disableNow', { name }), letter: 'D', run }],
  }
}

export function channelActions(t: TFunction, channel: Channel, onChanged: () => unknown): Entry[] {
  const { id, name } = channel
  return [
    { id: `test ${id}`, label: `${t('channels.test')} ${name}`, letter: 'T', run: () => test(t, channel, onChanged) },
    switchAction(t, channel, onChanged),
    edit(t, name, `/channel/edit/${id}`),
    { id: `log ${id}`, label: t('palette.requestsThrough', { name }), letter: 'L', to: `/log?channel=${id}` },
    {
      id: `history ${id}`,
      label: t('palette.changesOf', { name }),
      letter: 'H',
      to: `/history?kind=channel&target=${id}`,
    },
  ]
}

export function modelActions(t: TFunction, model: string, isAdmin: boolean): Entry[] {
  const name = encodeURIComponent(model)
  const explain = { id: `explain ${model}`, label: t('palette.explain', { model }), to: `/routing?model=${name}` }
  return [
    { id: `try ${model}`, label: t('palette.tryModel', { model }), letter: 'P', to: `/playground?model=${name}` },
    ...(isAdmin ? [{ ...explain, letter: 'R' }] : []),
    ...past(t, { name: model, log: `/log?model_name=${name}` }),
  ]
}

export const tokenActions = (t: TFunction, { id, name }: { id: number; name: string }): Entry[] => [
  edit(t, name, `/token/edit/${id}`),
  { id: `play ${id}`, label: t('palette.playWith', { name }), letter: 'P', to: `/playground?token=${id}` },
  ...past(t, { name, log: `/log?token_name=${encodeURIComponent(name)}` }),
]

export const userActions = (t: TFunction, { id, username }: { id: number; username: string }): Entry[] => [
  edit(t, username, `/user/edit/${id}`),
  ...past(t, {
    name: username,
    log: `/log?username=${encodeURIComponent(username)}`,
    history: `/history?kind=user&target=${id}`,
  }),
]

const asShortcuts = (actions: readonly Entry[]): Entry[] =>
  actions.map(({ letter, ...entry }) => (letter === undefined ? entry : { ...entry, keys: `Tab ${letter}` }))

/** Actions of the best match, shown without pressing Tab. */
export function shortcutGroups(t: TFunction, actions: readonly Entry[]): EntryGroup[] {
  const of = (...letters: string[]) => asShortcuts(actions.filter(({ letter = '' }) => letters.includes(letter)))
  return [
    { name: t('palette.do'), entries: of('T', 'D', 'E', 'P', 'R') },
    { name: t('pages.log'), entries: of('L') },
    { name: t('pages.history'), entries: of('H') },
  ]
}

/** The number of a request leads to its row. */
export const requestEntries = (t: TFunction, words: string): Entry[] =>
  /^[\w-]{16,}$/.test(words)
    ? [{ id: 'request', label: t('palette.request', { id: words }), to: `/log?open=${encodeURIComponent(words)}` }]
    : []
