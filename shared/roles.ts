export const roles = { user: 1, admin: 10, root: 100 } as const

/** Who may make a call. `public` needs no login; the others need at least that role. */
export type Access = 'public' | keyof typeof roles

export const allows = (role: number, access: Access): boolean => access === 'public' || role >= roles[access]

export const isAdmin = (role: number): boolean => role >= roles.admin
export const isRoot = (role: number): boolean => role >= roles.root
