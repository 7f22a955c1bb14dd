import { badFile } from './file.ts'

/** Stands for the secret there is. */
export const kept = '(kept)'

export type Variables = Readonly<Record<string, string | undefined>>

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

export const hasReference = (text: string): boolean => text.search(reference) >= 0

/** A secret as a file may give it: by reference, never in clear. `undefined` keeps the one there is. */
export function readSecret(given: unknown, where: string, variables: Variables): string | undefined {
  if (given === kept) return undefined
  if (typeof given !== 'string' || !hasReference(given)) {
    throw badFile(`${where}: a secret is written as \${NAME} or ${kept}, never in clear`)
  }
  return given.replace(reference, (_, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (value === undefined || value === '') throw badFile(`${where}: the variable ${name} is not set`)
    return value
  })
}
