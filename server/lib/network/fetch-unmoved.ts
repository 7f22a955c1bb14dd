type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** An answer to something secret. One that leads elsewhere is refused: whoever is there would be sent the secret. */
export async function fetchUnmoved(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: 'manual' })
  if (answer.status < 300 || answer.status > 399) return answer
  await answer.body?.cancel()
  throw new Error(`the answer (${answer.status}) leads elsewhere, which is not followed with a secret`)
}
