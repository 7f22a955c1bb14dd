/** The yardstick: passes bytes through on the same runtime, parses nothing, bills nothing. */
const upstream = process.argv[2] ?? ''

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const response = await fetch(upstream + pathname, {
      method: request.method,
      headers: { 'content-type': 'application/json', authorization: 'Bearer upstream' },
      body: await request.text(),
      signal: request.signal,
    })
    return new Response(response.body, {
      status: response.status,
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    })
  },
})
console.log(`port ${server.port}`)

export {}
