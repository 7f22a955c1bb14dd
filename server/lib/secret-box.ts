import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Seals what must be read back, hashes what only has to be recognised. Both keys come from one secret. */
export interface SecretBox {
  seal(plain: string): string
  /** Throws when the text was sealed with another secret. */
  open(sealed: string): string
  hash(plain: string): string
}

export function createSecretBox(secret: string): SecretBox {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'switchyard', purpose, 32))
  const sealKey = derive('seal')
  const hashKey = derive('hash')
  return {
    seal(plain) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `s1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed) {
      if (sealed === '') return ''
      if (!sealed.startsWith('s1.')) throw new Error('not a sealed value')
      const raw = Buffer.from(sealed.slice(3), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sealKey, raw.subarray(0, 12))
      decipher.setAuthTag(raw.subarray(12, 28))
      return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString('utf8')
    },
    hash: (plain) => createHmac('sha256', hashKey).update(plain).digest('base64url'),
  }
}
