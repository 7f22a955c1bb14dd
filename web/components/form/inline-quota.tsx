import { readQuota, readUsd } from '#web/lib/input/typed-number.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import { InlineNumber } from './inline-number.tsx'

interface Props {
  label: string
  value: number
  onSave: (quota: number) => Promise<unknown>
}

/** An amount edited in its cell: in dollars where money is shown, else in quota; "$12.50" is understood in both. */
export function InlineQuota(props: Props) {
  const { inCurrency, quotaPerUnit } = useQuotaDisplay()
  const inDollars = (text: string) => {
    const usd = readUsd(text)
    return usd === undefined ? undefined : readQuota(`$${usd}`, quotaPerUnit)
  }
  return (
    <InlineNumber
      {...props}
      min={0}
      wide
      read={inCurrency ? inDollars : (text) => readQuota(text, quotaPerUnit)}
      show={inCurrency ? (quota) => String(quota / quotaPerUnit) : String}
    />
  )
}
