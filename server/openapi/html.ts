/** Text made safe for HTML, kept apart from plain strings so that neither is taken for the other. */
export interface Html {
  readonly html: string
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const render = (value: string | Html | readonly Html[]): string => {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
  return 'html' in value ? value.html : value.map((part) => part.html).join('')
}

/** A template whose strings are escaped. */
export const html = (parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html => ({
  html: parts.reduce((text, part, at) => text + render(values[at - 1] ?? '') + part),
})
