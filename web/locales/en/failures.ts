export const failures = {
  unreached: 'the server cannot be reached; check your connection and try again',
  lostCode: 'a part of the console could not be loaded; check your connection, or load the page anew',
  tooMany: 'too many requests, try again later',
  server: 'internal server error, contact the administrator',
  demo: 'this site is a demo only, with no server',
  other: 'Error: {{message}}',
} as const
