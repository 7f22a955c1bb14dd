import { type TryRecord, writeRoute } from '#server/db/logs/route-record.ts'
import type { ChatFault } from '#server/dialects/chat.ts'
import { withoutZeros } from '#server/lib/text/without-zeros.ts'
import { type Consumption, costBasis } from '#server/relay/metering/charges.ts'
import type { SettledRequest } from '#server/relay/relayed-request.ts'
import { consequencesOf } from '#server/relay/routing/fault-consequences.ts'

const messageMax = 300

/** `mapped` is the channel's own name of the model, if it has one. */
export function faultRecord(fault: ChatFault, mapped?: string): NonNullable<TryRecord['fault']> {
  const message = withoutZeros(fault.message.slice(0, messageMax))
  return {
    status: fault.status,
    message,
    ...(consequencesOf(fault).disable ? { internal: true } : {}),
    ...(mapped !== undefined && mapped !== '' && message.includes(mapped) ? { mapped } : {}),
  }
}

/** The attempts of a request, for its log row. An answer that broke off during delivery is a fault of the last channel. */
export function routeRecord(request: SettledRequest, consumption: Consumption): string {
  const { reserve, tries, candidates, delivery, fault } = request
  const basis = delivery && costBasis(delivery.channel, consumption)
  const last = tries.at(-1)
  const brokeOff = delivery && fault && last && last.fault === null
  return writeRoute({
    reserve,
    tries: brokeOff
      ? [...tries.slice(0, -1), { ...last, fault: faultRecord(fault, delivery.channel.mapping.get(request.ask.model)) }]
      : tries,
    candidates,
    ...(basis === undefined || basis === null ? {} : { cost_by: basis }),
  })
}
