import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Server } from 'bun'
import { selfSigned } from '#server/testing/self-signed.ts'
import { createHttpClient } from './http-client.ts'

let server: Server<undefined>
let requests = 0
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: selfSigned,
    fetch() {
      requests += 1
      return new Response('in secret')
    },
  })
})
afterAll(() => server.stop(true))

/** What a process says that trusts the certificate. */
async function askTrusting(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-'))
  const trusted = join(folder, 'trusted.pem')
  writeFileSync(trusted, selfSigned.cert)
  const script = `
    import { createHttpClient } from ${JSON.stringify(join(import.meta.dirname, 'http-client.ts'))}
    const client = createHttpClient()
    const ask = () => client.post(${JSON.stringify(url)}, {}, 'x').answer.then((answer) => answer.bytes()).then(String)
    console.log(await ask().then(ask).catch((error) => error.code))
    process.exit(0)`
  const file = join(folder, 'ask.ts')
  writeFileSync(file, script)
  const child = Bun.spawn([process.execPath, file], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted },
    stdout: 'pipe',
  })
  return (await new Response(child.stdout).text()).trim()
}

describe('over TLS', () => {
  test('a certificate nobody vouches for ends the connection before anything is sent', async () => {
    const before = requests
    const { answer } = createHttpClient().post(`https://localhost:${server.port}/`, { authorization: 'secret' }, 'x')
    expect(await answer.catch((error) => error.code)).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/)
    expect(requests).toBe(before)
  })

  test('a trusted one lets requests through, on a connection that is kept', async () => {
    expect(await askTrusting(`https://localhost:${server.port}/`)).toBe('in secret')
  })

  test('a trusted one for another host does not', async () => {
    const before = requests
    expect(await askTrusting(`https://127.0.0.1:${server.port}/`)).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(requests).toBe(before)
  })
})
