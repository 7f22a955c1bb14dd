import { splitBase } from '#server/providers/endpoint.ts'
import type { Target } from '#server/providers/provider.ts'

/** Where both services are; pages show the address of one of them. */
export const rootOf = ({ baseUrl }: Pick<Target, 'baseUrl'>): string =>
  splitBase(baseUrl, /\/(?:compatible-mode|api)\/v1$/).root
