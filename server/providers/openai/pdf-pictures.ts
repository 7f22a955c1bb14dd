import { arrayOf, objectOf, textOf } from '#server/lib/json.ts'
import { isPdfUrl } from '#server/lib/network/data-url.ts'
import type { Body } from '#server/providers/provider.ts'

function asFile(entry: unknown): unknown {
  const part = objectOf(entry)
  const url = part?.type === 'image_url' ? (textOf(objectOf(part.image_url)?.url) ?? textOf(part.image_url)) : undefined
  if (url === undefined || !isPdfUrl(url)) return entry
  return { type: 'file', file: { file_data: url, filename: 'file.pdf' } }
}

/** PDFs that clients send in the place of pictures, as the files they are: OpenAI takes no others for pictures. */
export function pdfsAsFiles(body: Body): Body {
  let found = false
  const messages = arrayOf(body.messages).map((entry) => {
    const message = objectOf(entry)
    if (!Array.isArray(message?.content)) return entry
    const content = message.content.map(asFile)
    if (content.every((part, at) => part === arrayOf(message.content)[at])) return entry
    found = true
    return { ...message, content }
  })
  return found ? { ...body, messages: messages as Body['messages'] } : body
}
