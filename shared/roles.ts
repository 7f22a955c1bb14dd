export const roles = { user: 1, admin: 10, root: 100 } as const

/** Who may make a call. `public` needs no login; the others need at least that role. */
export type Access = 'public' | keyof typeof roles

export const allows = (role: number, access: Access): boolean => access === 'public' || role >= roles[access]

export const isAdmin = (role: number): boolean => role >= roles.admin
export const isRoot = (role: number): boolean => role >= roles.root

export const userStatus = { activated: 1, banned: 2 } as const
export const channelStatus = { enabled: 1, manuallyDisabled: 2, autoDisabled: 3 } as const
export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
export const redemptionStatus = { unused: 1, disabled: 2, used: 3 } as const
export const logType = { all: 0, topUp: 1, consumption: 2, admin: 3, system: 4 } as const
