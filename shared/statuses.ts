export const userStatus = { activated: 1, banned: 2 } as const
export const channelStatus = { enabled: 1, manuallyDisabled: 2, autoDisabled: 3 } as const
export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export const redemptionStatus = { unused: 1, disabled: 2, used: 3 } as const
export const logType = { all: 0, topUp: 1, consumption: 2, admin: 3, system: 4, refused: 5 } as const
