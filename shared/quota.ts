import { z } from 'zod'
import { fault } from './faults.ts'

/** Quota is money: a whole number of units, 500,000 of them to the dollar unless the operator says otherwise. */
export const quotaPerUnitDefault = 500_000
export const quotaMax = Number.MAX_SAFE_INTEGER

export const Quota = z
  .number(fault('quota.whole'))
  .int(fault('quota.whole'))
  .min(0, fault('quota.negative'))
  .max(quotaMax)

/** 1e4 and up as k, 1e6 as M, 1e9 as B, each with one decimal. */
export function compactCount(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${(value / 1e9).toFixed(1)}B`
  if (size >= 1e6) return `${(value / 1e6).toFixed(1)}M`
  if (size >= 1e4) return `${(value / 1e3).toFixed(1)}k`
  return String(value)
}

/** "$1,000,000.00"; an amount below a cent keeps its digits. */
export function dollars(quota: number, quotaPerUnit: number, decimals = 2): string {
  const amount = quota / quotaPerUnit
  const small = amount !== 0 && Math.abs(amount) < 0.01
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: small ? 6 : decimals }
  return `${amount < 0 ? '-' : ''}$${Math.abs(amount).toLocaleString('en-US', digits)}`
}

/** How quota is shown: as money, or as the number it is. */
export interface QuotaDisplay {
  readonly inCurrency: boolean
  readonly quotaPerUnit: number
}

/** How quota is written in the console. */
export const formatQuota = (quota: number, display: QuotaDisplay): string =>
  display.inCurrency ? dollars(quota, display.quotaPerUnit) : compactCount(quota)

/** How quota is written in log texts and mails, where two decimals would hide small amounts. */
export const spellQuota = (quota: number, display: QuotaDisplay): string =>
  display.inCurrency ? dollars(quota, display.quotaPerUnit, 6) : `${quota} points of quota`
