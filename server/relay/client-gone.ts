/** The client left before anything could be delivered. */
export class ClientGone extends Error {}
