import { type JsonObject, objectOf, textOf } from '#server/lib/json.ts'
import { isPdfUrl } from '#server/lib/network/data-url.ts'
import { inside, withList } from '#server/providers/changed-lists.ts'
import type { Body } from '#server/providers/provider.ts'

function asFile(part: JsonObject): JsonObject {
  const url = part.type === 'image_url' ? (textOf(objectOf(part.image_url)?.url) ?? textOf(part.image_url)) : undefined
  if (url === undefined || !isPdfUrl(url)) return part
  return { type: 'file', file: { file_data: url, filename: 'file.pdf' } }
}

/** PDFs that clients send in the place of pictures, as the files they are: OpenAI takes no others for pictures. */
export const pdfsAsFiles = (body: Body): Body => withList(body, 'messages', inside('content', asFile))
