export const channels = {
  title: 'Channels',
} as const
