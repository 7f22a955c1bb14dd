const version = /\/v\d+[a-z\d]*$/i

/**
 * An address from which our custom channels reach `<base><path>/chat/completions`: as it is when it ends with a version, and
 * with the task itself otherwise, which says that nothing is put in between.
 */
export function addressWith(base: string, path: string): string {
  const root = `${base.replace(/\/+$/, '')}${path}`
  if (root === '') return ''
  return version.test(root) ? root : `${root}/chat/completions`
}

/** Said of Azure channels of programs that ask for `gpt-4.1`. */
export const dotsLost =
  'deployments of Azure are asked for without the dots of the model here: rename them or map the model'
