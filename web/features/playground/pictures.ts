export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

const sizeMax = 5 * 1024 * 1024

export const isPicture = (file: File): boolean =>
  pictureTypes.some((type) => type === file.type) && file.size <= sizeMax

/** The picture as an address that holds it. */
export const readPicture = (file: File): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.onload = () => resolve(String(reader.result))
  reader.onerror = () => reject(reader.error)
  reader.readAsDataURL(file)
  return promise
}
