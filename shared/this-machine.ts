/** Whether a name of a host, as in an address or alone, is this machine's: nobody listens in on the way there. */
export const isThisMachine = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host)
