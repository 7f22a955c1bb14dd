import type { z } from 'zod'
import { type Token, TokenDraft, tokenDefaults } from '#shared/api/tokens.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import { isPast } from '#shared/expiry.ts'
import { fault } from '#shared/faults.ts'
import { formatTime, nowSeconds } from '#web/lib/format.ts'
import { parseTime } from '#web/lib/input/parse-time.ts'
import { fieldNumber, numberOrNone } from '#web/lib/input/typed-number.ts'
import { issueText } from '#web/lib/messages.ts'
import { validateWith } from '#web/lib/zod-form.ts'

/** A token as the form holds it. */
export interface TokenValues {
  name: string
  remain_quota: number | string
  /** As written; empty means never. */
  expired_time: string
  unlimited_quota: boolean
  models: string[]
  subnet: string[]
  team_id: number
  group: string
  budget: number | string
  budget_period: BudgetPeriod
  rpm: number | string
  tpm: number | string
  parallel: number | string
}

const listOf = (text: string): string[] => text.split(',').filter(Boolean)

export const valuesOf = (
  token: Omit<TokenValues, 'expired_time' | 'models' | 'subnet'> & Pick<Token, 'expired_time' | 'models' | 'subnet'>,
): TokenValues => ({
  name: token.name,
  remain_quota: token.remain_quota,
  expired_time: token.expired_time === -1 ? '' : formatTime(token.expired_time),
  unlimited_quota: token.unlimited_quota,
  models: listOf(token.models),
  subnet: listOf(token.subnet),
  team_id: token.team_id,
  group: token.group,
  budget: token.budget,
  budget_period: token.budget_period,
  rpm: token.rpm,
  tpm: token.tpm,
  parallel: token.parallel,
})

export const newToken = valuesOf(tokenDefaults)

function expiryOf(text: string): number {
  if (text.trim() === '') return -1
  return parseTime(text) ?? Number.NaN
}

/** An empty quota is accepted for an unlimited token, whose field is hidden. */
function quotaOf({ remain_quota, unlimited_quota }: TokenValues): number | undefined {
  if (remain_quota === '') return unlimited_quota ? undefined : Number.NaN
  return fieldNumber(remain_quota)
}

/** What is sent; a value that cannot be understood becomes one the contract refuses. */
export function draftOf(values: TokenValues): z.input<typeof TokenDraft> {
  return {
    name: values.name,
    remain_quota: quotaOf(values),
    expired_time: expiryOf(values.expired_time),
    unlimited_quota: values.unlimited_quota,
    models: values.models.join(','),
    subnet: values.subnet.join(','),
    team_id: values.team_id,
    group: values.group,
    budget: numberOrNone(values.budget),
    budget_period: values.budget_period,
    rpm: numberOrNone(values.rpm),
    tpm: numberOrNone(values.tpm),
    parallel: numberOrNone(values.parallel),
  }
}

/** What is sent for a token that exists. Its quota only when changed: it is spent while the form stands open. */
export function changeOf(values: TokenValues, loaded: TokenValues): z.input<typeof TokenDraft> {
  const { remain_quota, ...rest } = draftOf(values)
  return remain_quota === quotaOf(loaded) ? rest : { ...rest, remain_quota }
}

const past = fault('expiry.past')

/** An expiry that was already over when the form opened may stay. */
export const validateToken = (initial: TokenValues) => (values: TokenValues) => {
  const draft = draftOf(values)
  const wrong = validateWith(TokenDraft)(draft)
  const isOver = isPast(draft.expired_time ?? -1, nowSeconds()) && values.expired_time !== initial.expired_time
  return isOver && !wrong.expired_time ? { ...wrong, expired_time: issueText({ message: past }) } : wrong
}
