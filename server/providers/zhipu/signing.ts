import { createHmac } from 'node:crypto'

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The token Zhipu's v3 wants; times are in milliseconds. */
export function zhipuJwt(id: string, secret: string, timestamp: number, lifetime: number): string {
  const head = base64url({ alg: 'HS256', sign_type: 'SIGN' })
  const payload = base64url({ api_key: id, exp: timestamp + lifetime, timestamp })
  const signature = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')
  return `${head}.${payload}.${signature}`
}
