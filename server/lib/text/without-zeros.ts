/** PostgreSQL cannot store the character zero in a text. */
export const withoutZeros = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)
