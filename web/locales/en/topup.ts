export const topup = {
  title: 'Top up',
} as const
