import type { Caller } from '#server/relay/request/caller.ts'
import type { RoutingTable } from '#server/relay/routing/routing-table.ts'

/** The models a caller can use, sorted. */
export function modelsFor(table: RoutingTable, caller: Caller): string[] {
  const reachable = table.modelsOf(caller.groups)
  const { models } = caller
  return models ? reachable.filter((model) => models.has(model)) : reachable
}
