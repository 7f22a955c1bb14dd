import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'

/** Local doubles of the services that are not ours: GitHub, the WeChat companion, Turnstile, the release list, a model. */
export interface ThirdParties {
  readonly url: string
  /** Settings that point the server at the doubles. */
  readonly env: Record<string, string>
  /** Who GitHub says its visitor is. */
  githubUser: { id: number; login: string; name: string; email: string }
  /** Where GitHub sends the visitor back to: the address of the server under test. */
  returnTo: string
  /** Codes that the WeChat companion knows, and whose they are. */
  readonly wechatCodes: Map<string, string>
  /** Tokens that Turnstile accepts. */
  readonly turnstileToken: string
  /** What the releases address answers. */
  release: { tag_name: string; body: string; html_url: string }
  stop(): Promise<void>
}

/** What any model says when a channel leads to the doubles' address. */
const completion = {
  id: 'chatcmpl-double',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1200, completion_tokens: 300, total_tokens: 1500 },
}

type Door = (url: URL, body: string, parties: ThirdParties) => { status?: number; location?: string; json?: unknown }

const doors: Readonly<Record<string, Door>> = {
  '/login/oauth/authorize': (url, _body, { returnTo }) => ({
    status: 302,
    location: `${returnTo}/oauth/github?code=good-code&state=${encodeURIComponent(url.searchParams.get('state') ?? '')}`,
  }),
  '/login/oauth/access_token': (_url, body) => ({
    json: body.includes('good-code') ? { access_token: 'gho_double' } : { error: 'bad_verification_code' },
  }),
  '/api/user': (_url, _body, { githubUser: { id, login, name } }) => ({ json: { id, login, name } }),
  '/api/user/emails': (_url, _body, { githubUser: { email } }) => ({
    json: [{ email, primary: true, verified: true }],
  }),
  '/api/wechat/user': (url, _body, { wechatCodes }) => {
    const owner = wechatCodes.get(url.searchParams.get('code') ?? '')
    return { json: owner ? { success: true, data: owner } : { success: false, message: 'wrong code' } }
  },
  '/siteverify': (_url, body, { turnstileToken }) => ({
    json: { success: new URLSearchParams(body).get('response') === turnstileToken },
  }),
  '/v1/chat/completions': () => ({ json: completion }),
  '/release': (_url, _body, { release }) => ({ json: release }),
}

async function answer(request: IncomingMessage, response: ServerResponse, parties: ThirdParties): Promise<void> {
  const url = new URL(request.url ?? '/', parties.url)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const {
    status = 200,
    location,
    json,
  } = doors[url.pathname]?.(url, Buffer.concat(chunks).toString(), parties) ?? {
    status: 404,
  }
  response.writeHead(status, { 'content-type': 'application/json', ...(location ? { location } : {}) })
  response.end(json === undefined ? '' : JSON.stringify(json))
}

export async function startThirdParties(): Promise<ThirdParties> {
  const server = createServer((request, response) => void answer(request, response, parties))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const parties: ThirdParties = {
    url,
    env: {
      GITHUB_URL: url,
      GITHUB_API_URL: `${url}/api`,
      TURNSTILE_URL: `${url}/siteverify`,
      RELEASES_URL: `${url}/release`,
    },
    githubUser: { id: 4711, login: 'octo-visitor', name: 'Octo Visitor', email: 'octo@example.com' },
    returnTo: '',
    wechatCodes: new Map(),
    turnstileToken: 'human-enough',
    release: { tag_name: '', body: '', html_url: '' },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return parties
}

const script = 'https://challenges.cloudflare.com/turnstile/**'

/** Turnstile's script in this page: passes at once, keeps checking for ever, or cannot be loaded. */
export async function serveTurnstile(page: Page, how: 'passes' | 'checks' | 'fails', token = 'human-enough') {
  if (how === 'fails') return page.route(script, (route) => route.abort())
  const call = how === 'passes' ? `options.callback(${JSON.stringify(token)}); place.textContent = 'checked'` : ''
  const body = `window.turnstile = { render(place, options) { place.textContent = 'checking'; setTimeout(() => { ${call} }, 50); return 'widget' }, remove() {} }`
  return page.route(script, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}
