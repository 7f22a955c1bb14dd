import type { RelayScene } from './relay-scene.ts'

/** A response of `/v1/responses` as far as tests look at it. */
export interface ShownResponse {
  readonly id: string
  readonly status: string
  readonly store: boolean
  readonly previous_response_id: string | null
  readonly output: readonly { readonly id: string; readonly content: readonly { readonly text: string }[] }[]
  readonly error: { readonly message: string } | null
}

/** Calls of `/v1/responses` in a scene that starts later. */
export const responsesIn = (scene: () => RelayScene) => ({
  call: (method: string, path: string, key = scene().key) =>
    fetch(scene().app.url + path, { method, headers: { authorization: `Bearer ${key}` } }),
  async respond(body: Record<string, unknown>, init?: RequestInit) {
    const answer = await scene().post('/v1/responses', { model: 'gpt-4o', max_output_tokens: 20, ...body }, init)
    return { status: answer.status, body: (await answer.json()) as ShownResponse }
  },
})
