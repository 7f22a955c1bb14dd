/** A key on the screen: its ends distinguish it from others, the middle stays covered. */
export const coveredKey = (key: string): string => `${key.slice(0, 7)}${'•'.repeat(12)}${key.slice(-4)}`
