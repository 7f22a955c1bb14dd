const zero = '\0'

export const hasZero = (text: string): boolean => text.includes(zero)

/** PostgreSQL cannot store the character zero in a text. */
export const withoutZeros = (text: string): string => (hasZero(text) ? text.replaceAll(zero, '') : text)
