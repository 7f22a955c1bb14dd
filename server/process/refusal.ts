/** The work cannot be done as things are. The message says why and what to do; no stack is shown. */
export class Refusal extends Error {}
