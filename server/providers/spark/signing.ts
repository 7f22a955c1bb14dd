import { createHmac } from 'node:crypto'

export interface SparkKey {
  readonly apiKey: string
  readonly apiSecret: string
}

export function sparkSignature(apiSecret: string, host: string, path: string, date: string): string {
  return createHmac('sha256', apiSecret).update(`host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`).digest('base64')
}

export function sparkAuthorization(key: SparkKey, host: string, path: string, date: string): string {
  const signature = sparkSignature(key.apiSecret, host, path, date)
  const origin = `api_key="${key.apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  return Buffer.from(origin).toString('base64')
}

/** The socket address with its proof; good for five minutes around `now`. */
export function signSparkUrl(url: string, key: SparkKey, now: number): string {
  const { protocol, host, pathname } = new URL(url)
  const date = new Date(now).toUTCString()
  const query = new URLSearchParams({ authorization: sparkAuthorization(key, host, pathname, date), date, host })
  return `${protocol}//${host}${pathname}?${query}`
}
