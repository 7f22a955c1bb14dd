/** PostgreSQL has no place for the character zero in a text. */
export const withoutZeros = (text: string): string => text.replaceAll('\0', '')
