export const logs = {
  title: 'Log',
} as const
