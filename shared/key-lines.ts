/** A key that is a JSON object, as of a service account, on one line. */
function asJson(key: string): string | undefined {
  try {
    const value: unknown = JSON.parse(key)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : undefined
  } catch {
    return undefined
  }
}

/** The keys of a text, one a line. A key that is JSON is one over as many lines as it has. */
export function keyLines(key: string): string[] {
  const json = asJson(key)
  if (json !== undefined) return [json]
  return key
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
