export const chat = {
  title: 'Chat',
  missing: 'No chat link is set.',
} as const
