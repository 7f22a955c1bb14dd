import { compactCount, dollars } from '#shared/quota.ts'

const two = (value: number): string => String(value).padStart(2, '0')

const dateOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
const minuteOf = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}`

/** YYYY-MM-DD HH:mm:ss in local time. */
export const formatTime = (epochSeconds: number): string =>
  `${formatDate(epochSeconds)} ${formatClockSeconds(epochSeconds)}`

/** For narrow columns, with the full time in the `title`. */
export const formatMinute = (epochSeconds: number): string => `${formatDate(epochSeconds)} ${formatClock(epochSeconds)}`

export const formatDate = (epochSeconds: number): string => dateOf(new Date(epochSeconds * 1000))

/** HH:mm, where the day is said elsewhere or needs no saying. */
export const formatClock = (epochSeconds: number): string => minuteOf(new Date(epochSeconds * 1000))

/** HH:mm:ss */
export const formatClockSeconds = (epochSeconds: number): string =>
  `${formatClock(epochSeconds)}:${two(new Date(epochSeconds * 1000).getSeconds())}`

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export interface QuotaDisplay {
  inCurrency: boolean
  quotaPerUnit: number
}

/** The amount as money and as quota with its unit; with currency off the two swap places. */
export function quotaPair(
  quota: number,
  display: QuotaDisplay,
  unit: string,
  exact = false,
): { main: string; beside: string } {
  const money = dollars(quota, display.quotaPerUnit)
  const count = `${exact ? formatCount(quota) : compactCount(quota)} ${unit}`
  return display.inCurrency ? { main: money, beside: count } : { main: count, beside: money }
}

export const formatCount = (value: number): string => value.toLocaleString('en-US')

const usernameShown = 15

export function cutUsername(username: string): string {
  const letters = [...username]
  return letters.length > usernameShown ? `${letters.slice(0, usernameShown).join('')}…` : username
}

/** 640 → "0.64 s" */
export const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`

/** The language dates are written in: English days stand before their month. */
export const dateTag = (language: string): string => (language === 'en' ? 'en-GB' : language)
