import { quotaPerUnitDefault } from '#shared/quota.ts'

/** How much quota its operator calls a dollar. Prices by the request are in these dollars, those by tokens are not. */
export const quotaPerUnit = (saved: ReadonlyMap<string, string>): number => {
  const number = Number(saved.get('QuotaPerUnit') ?? quotaPerUnitDefault)
  return Number.isFinite(number) && number > 0 ? number : quotaPerUnitDefault
}
