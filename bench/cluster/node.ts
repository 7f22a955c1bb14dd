import { startTcpBalancer, type TcpBalancer } from '#server/testing/tcp-balancer.ts'
import { createRelayProcess, type RelayProcess } from '../support/relay-process.ts'

/** A node whose way to the database can be cut. */
export interface ClusterNode extends RelayProcess {
  readonly port: number
  readonly links: readonly TcpBalancer[]
}

const secretKey = 'cluster-secret-key-0123456789'

/** Every node reaches the databases over links of its own, and names all in its address. */
export async function createNode(ports: readonly number[], name = 'switchyard'): Promise<ClusterNode> {
  const links = await Promise.all(ports.map((port) => startTcpBalancer([{ host: '127.0.0.1', port }])))
  const address = (of: readonly number[]) =>
    `postgres://postgres@${of.map((port) => `127.0.0.1:${port}`).join(',')}/${name}?target_session_attrs=read-write`
  const relay = await createRelayProcess(address(links.map(({ port }) => port)), { SECRET_KEY: secretKey })
  return {
    ...relay,
    // What judges the books goes there directly.
    databaseUrl: address(ports),
    port: Number(new URL(relay.url).port),
    links,
  }
}
