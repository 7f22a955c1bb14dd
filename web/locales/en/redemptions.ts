export const redemptions = {
  title: 'Redemption codes',
} as const
