import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs where it is taken for a page: it leaves a mark that every page of the same origin can read. */
const page = `<!doctype html><script>localStorage.setItem('hurt', document.location.href)</script><h1>owned</h1>`

/** An upstream that answers everything with a page. */
export async function startHostileUpstream(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
