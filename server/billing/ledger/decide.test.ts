import { describe, expect, test } from 'bun:test'
import { account, createStore, paidBy, reserve, settle } from '#server/testing/ledger-store.ts'
import type { Account } from './account.ts'
import type { SettleResult } from './ledger.ts'

const day = 86_400

describe('decide', () => {
  test('holds what is wanted, or less when there is less, but never below what is needed', () => {
    const store = createStore([[1, 100]], [[1, 80]])
    const { results } = store.commit([reserve('a', 10, 50), reserve('b', 10, 50), reserve('c', 10, 50)])
    expect(results).toEqual([
      { ok: true, held: 50, limits: null },
      { ok: true, held: 30, limits: null },
      { ok: false, lacking: 'token', available: 0, resetsAt: 0 },
    ])
    expect(store.users.get(1)?.balance).toBe(20)
  })

  test('says of a token, a user or a member that is gone that it is, not that it lacks money', () => {
    const store = createStore([[1, 100]], [[1, 80]])
    const gone = { ok: false, lacking: 'caller', available: 0, resetsAt: 0 } as const
    const results = [{ userId: 2 }, { tokenId: 2 }, { teamId: 1, memberId: 1 }].map((who) =>
      store.commit([reserve('a', 10, 10, who)]).results.at(0),
    )
    expect(results).toEqual([gone, gone, gone])
  })

  test('gives the rest of a hold back', () => {
    const store = createStore([[1, 100]], [[1, 80]])
    store.commit([reserve('a', 50)])
    expect(store.commit([settle('a', 30)]).results).toEqual([
      { paid: 30, shortfall: 0, lostHold: false, before: 100, after: 70, budgets: [] },
    ])
    expect(store.users.get(1)).toMatchObject({ balance: 70, usedQuota: 30, requestCount: 1 })
    expect(store.tokens.get(1)?.balance).toBe(50)
  })

  test('takes what is there when the charge is above it, and says what is missing', () => {
    const store = createStore([[1, 60]], [[1, 100]])
    store.commit([reserve('a', 50)])
    expect(store.commit([settle('a', 90)]).results).toEqual([
      { paid: 60, shortfall: 30, lostHold: false, before: 60, after: 0, budgets: [] },
    ])
    expect(store.tokens.get(1)?.balance).toBe(40)
  })

  test('takes the whole charge from a user whose token has less left, and the token down to zero', () => {
    const store = createStore([[1, 1000]], [[1, 60]])
    store.commit([reserve('a', 50)])
    expect(store.commit([settle('a', 900)]).results).toEqual([
      { paid: 900, shortfall: 0, lostHold: false, before: 1000, after: 100, budgets: [] },
    ])
    expect(store.tokens.get(1)).toMatchObject({ balance: 0, usedQuota: 900 })
  })

  test('writes down a charge nothing could be taken for', () => {
    const store = createStore([[1, 50]], [[1, 100]])
    store.commit([reserve('a', 0), reserve('b', 50)])
    expect(store.commit([settle('a', 30)]).results).toEqual([
      { paid: 0, shortfall: 30, lostHold: false, before: 0, after: 0, budgets: [] },
    ])
    store.commit([settle('b', 0)])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([0])
    expect(store.users.get(1)).toMatchObject({ balance: 50, usedQuota: 0, requestCount: 1 })
  })

  test('settles once, however often it is asked, in later commits', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([30])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([0])
    expect(store.users.get(1)?.balance).toBe(70)
  })

  test('settles once, however often it is asked, in one commit', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    expect(paidBy(store.commit([settle('a', 30), settle('a', 30), settle('a', 0)]))).toEqual([30, 0, 0])
    expect(store.users.get(1)).toMatchObject({ balance: 70, usedQuota: 30, requestCount: 1 })
  })

  test('returns a hold once when it is returned twice in one commit', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    store.commit([settle('a', 0), settle('a', 0)])
    expect(store.users.get(1)?.balance).toBe(100)
    expect(store.tokens.get(1)?.balance).toBe(100)
  })

  test('finds the hold of a reservation in the same commit', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    expect(paidBy(store.commit([reserve('a', 50), settle('a', 30)]))).toEqual([null, 30])
    expect(store.holds.size).toBe(0)
    expect(store.users.get(1)?.balance).toBe(70)
  })

  test('charges an answer whose hold was swept meanwhile, once', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50)])
    store.commit([settle('a', 0)])
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([30])
    expect(paidBy(store.commit([settle('a', 30), settle('a', 30)]))).toEqual([0, 0])
    expect(store.users.get(1)?.balance).toBe(70)
  })

  test('an account or a token that is gone pays nothing and leaves no hold', () => {
    const store = createStore([[1, 100]], [[1, 100]])
    store.commit([reserve('a', 50), reserve('b', 20)])
    store.tokens.delete(1)
    expect(paidBy(store.commit([settle('a', 30)]))).toEqual([30])
    store.users.delete(1)
    expect(paidBy(store.commit([settle('b', 10)]))).toEqual([0])
    expect(store.holds.size).toBe(0)
  })
})

describe('budgets and teams', () => {
  const team = { teamId: 3, memberId: 4 }

  function teamStore(more: { team?: Partial<Account>; member?: Partial<Account> } = {}) {
    const store = createStore([[1, 0]], [[1, 'unlimited']])
    store.accounts.team.set(3, account({ balance: 100, ...more.team }))
    store.accounts.member.set(4, account({ unlimited: true, ...more.member }))
    return store
  }

  test('a team pays from its wallet and counts, as do member, token and user', () => {
    const store = teamStore()
    store.commit([reserve('a', 50, 50, team)])
    expect(store.accounts.team.get(3)?.balance).toBe(50)
    expect(store.commit([settle('a', 30, team)]).results).toMatchObject([{ paid: 30, before: 100, after: 70 }])
    expect(store.accounts.team.get(3)).toMatchObject({ balance: 70, usedQuota: 30, requestCount: 1, budgetUsed: 30 })
    expect(store.accounts.member.get(4)).toMatchObject({ balance: 0, usedQuota: 30, budgetUsed: 30, budgetHeld: 0 })
    expect(store.users.get(1)).toMatchObject({ balance: 0, usedQuota: 30, requestCount: 1, budgetUsed: 30 })
    expect(store.entries.get('a')).toMatchObject({ teamId: 3, amount: 0, teamAmount: -30, admittedAt: 1 })
  })

  test('an empty team wallet refuses, whatever its member has', () => {
    const store = teamStore({ team: { balance: 10 } })
    expect(store.commit([reserve('a', 50, 50, team)]).results).toMatchObject([{ lacking: 'team', available: 10 }])
  })

  test('the narrowest purse decides how much is held, and one that cannot bear it refuses without a trace', () => {
    const store = teamStore({ team: { budget: 60 }, member: { budget: 40 } })
    expect(store.commit([reserve('a', 10, 100, team)]).results).toEqual([{ ok: true, held: 40, limits: null }])
    expect(store.commit([reserve('b', 10, 100, team)]).results).toEqual([
      { ok: false, lacking: 'member budget', available: 0, resetsAt: day },
    ])
    expect(store.accounts.team.get(3)).toMatchObject({ balance: 60, budgetHeld: 40 })
    store.commit([settle('a', 25, team)])
    expect(store.accounts.member.get(4)).toMatchObject({ budgetUsed: 25, budgetHeld: 0 })
    expect(store.commit([reserve('c', 16, 16, team)]).results).toMatchObject([
      { lacking: 'member budget', available: 15 },
    ])
  })

  test('a budget begins anew with its period, and a late charge counts in the period of its admission', () => {
    const store = createStore([[1, 1000]], [[1, 'unlimited']])
    Object.assign(store.tokens.get(1) ?? {}, { budget: 100 })
    store.commit([reserve('a', 100, 100)])
    expect(store.commit([reserve('b', 1)]).results).toMatchObject([{ lacking: 'token budget', resetsAt: day }])
    expect(store.commit([reserve('c', 60, 60, { at: day })]).results).toEqual([{ ok: true, held: 60, limits: null }])
    store.commit([settle('a', 90)])
    expect(store.tokens.get(1)).toMatchObject({ budgetFrom: day, budgetUsed: 0, budgetHeld: 60 })
    expect(store.entries.get('a')).toMatchObject({ admittedAt: 1 })
    store.commit([settle('c', 50)])
    expect(store.tokens.get(1)).toMatchObject({ budgetUsed: 50, budgetHeld: 0 })
  })

  test('a clock that is behind does not spend from a period that has ended', () => {
    const store = createStore([[1, 1000]], [[1, 'unlimited']])
    Object.assign(store.tokens.get(1) ?? {}, { budget: 100 })
    store.commit([reserve('a', 80, 80, { at: day })])
    expect(store.commit([reserve('b', 30, 30, { at: day - 1 })]).results).toMatchObject([{ lacking: 'token budget' }])
  })

  test('says which budgets a charge counted on', () => {
    const store = createStore([[1, 1000]], [[1, 'unlimited']])
    Object.assign(store.users.get(1) ?? {}, { budget: 100 })
    store.commit([reserve('a', 50)])
    expect((store.commit([settle('a', 50)]).results[0] as SettleResult).budgets).toEqual([
      { kind: 'user', budget: 100, used: 50, from: 0, resetsAt: day },
    ])
  })
})
