/** An id in the form clients of a format know it: the provider's own, or a new one where it gave none. */
export function prefixedId(prefix: string, id: string | undefined): string {
  if (!id) return `${prefix}${crypto.randomUUID().replaceAll('-', '')}`
  return id.startsWith(prefix) ? id : `${prefix}${id}`
}
