/** Loaded with the first passkey: no start waits for it. One of its own packages wants `Reflect.metadata` to be there before. */
export async function loadWebauthn() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}
