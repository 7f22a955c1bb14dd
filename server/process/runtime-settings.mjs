/**
 * What the runtime reads from its environment before it runs any code of ours. Plain JavaScript, for the scripts that start it.
 * Memory that was freed is kept for ten seconds, as decision 0030 says.
 */
export const runtimeSettings = {
  /** Upstream requests at a time; 256 by default. */
  BUN_CONFIG_MAX_HTTP_REQUESTS: '65336',
  MIMALLOC_PURGE_DELAY: '10000',
  MIMALLOC_PURGE_HOLES: '0',
}
