import type { User } from '#shared/api/users.ts'
import type { BudgetPeriod } from '#shared/budget.ts'
import { fieldNumber, numberOrNone } from '#web/lib/input/typed-number.ts'

export interface AccountValues {
  username: string
  display_name: string
  password: string
}

/** A user as an administrator's form holds it. */
export interface UserValues extends AccountValues {
  group: string[]
  quota: number | string
  budget: number | string
  budget_period: BudgetPeriod
}

export const noAccount: AccountValues = { username: '', display_name: '', password: '' }

export const accountOf = ({ username, display_name }: User): AccountValues => ({ username, display_name, password: '' })

export const valuesOf = (user: User): UserValues => ({
  ...accountOf(user),
  group: (user.group || 'default').split(','),
  quota: user.quota,
  budget: user.budget,
  budget_period: user.budget_period,
})

/** What is sent: the quota with the one the form had loaded, so that what was spent meanwhile is not undone. */
export function changeOf(user: Pick<User, 'id' | 'quota'>, { group, quota, budget, ...account }: UserValues) {
  return {
    id: user.id,
    ...account,
    group: group.join(','),
    quota: fieldNumber(quota),
    budget: numberOrNone(budget),
    quota_before: user.quota,
  }
}
