import type { ChannelColor } from '#shared/channel-types.ts'
import type { Hue } from './colors.ts'

/** What each state looks like: a colour of the ramps and the shape of its dot. The word is always printed beside it. */
export type StateLook = { color: Hue | 'gray'; dot: 'full' | 'ring' | 'half' | 'slash' }

export const looks = {
  channel: {
    1: { color: 'green', dot: 'full' },
    2: { color: 'gray', dot: 'ring' },
    3: { color: 'orange', dot: 'half' },
  },
  token: {
    1: { color: 'green', dot: 'full' },
    2: { color: 'gray', dot: 'ring' },
    3: { color: 'yellow', dot: 'slash' },
    4: { color: 'red', dot: 'half' },
  },
  redemption: {
    1: { color: 'green', dot: 'full' },
    2: { color: 'gray', dot: 'ring' },
    3: { color: 'gray', dot: 'slash' },
  },
  user: { 1: { color: 'green', dot: 'full' }, 2: { color: 'red', dot: 'slash' } },
} as const satisfies Record<string, Record<number, StateLook>>

/** Why a channel is passed over now: what ends by itself is yellow, what somebody must set is orange. */
export function outLook(reason: string): StateLook {
  if (reason === 'rest' || reason === 'limit') return { color: 'yellow', dot: 'half' }
  return reason === 'price' ? { color: 'orange', dot: 'half' } : { color: 'gray', dot: 'ring' }
}

export const unknownLook: StateLook = { color: 'gray', dot: 'half' }

export const logTypeColor = { 1: 'green', 2: 'gray', 3: 'orange', 4: 'violet' } as const

/** vip, pro: yellow. svip, premium: red. Everything else, `default` included, is gray. */
export function groupColor(group: string) {
  if (group === 'vip' || group === 'pro') return 'yellow'
  if (group === 'svip' || group === 'premium') return 'red'
  return 'gray'
}

/** 0 untested; up to 1000 ms green, 3000 olive, 5000 yellow, above red. */
export function responseColor(ms: number) {
  if (ms === 0) return 'gray'
  if (ms <= 1000) return 'green'
  if (ms <= 3000) return 'olive'
  if (ms <= 5000) return 'yellow'
  return 'red'
}

export function roleColor(role: number) {
  if (role >= 100) return 'violet'
  return role >= 10 ? 'petrol' : 'gray'
}

/** The bar before a channel type's name. Decoration: the name stands beside it. */
export const channelColor: Record<ChannelColor, string> = {
  green: '#2f9e5a',
  blue: '#3b7fd1',
  olive: '#8a9a2e',
  teal: '#1f9a94',
  brown: '#9a6a3c',
  violet: '#8669be',
  purple: '#a553b5',
  pink: '#cc5b95',
  yellow: '#c79a1e',
  orange: '#d47c2e',
  black: 'var(--mantine-color-text)',
  red: '#cd4843',
}
