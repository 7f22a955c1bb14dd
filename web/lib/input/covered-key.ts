/** A key on the screen: the ends tell keys apart, the middle stays covered. */
export const coveredKey = (key: string): string => `${key.slice(0, 7)}${'•'.repeat(12)}${key.slice(-4)}`
