/** A relay of its own for a measurement: any free port, its own data, no limits, quiet. */
export const relayEnvironment = (folder: string, rootPassword: string) => ({
  PORT: '0',
  HOST: '127.0.0.1',
  DATA_DIR: folder,
  INITIAL_ROOT_PASSWORD: rootPassword,
  RATE_LIMIT_API: '0',
  LOG_LEVEL: 'error',
})
