import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { withFields } from '#web/lib/table-address.ts'

interface OpenEntry {
  /** Its name in the address; empty for none. */
  readonly opened: string
  /** Opens an entry, or closes the open one when there is nothing to open. */
  readonly open: (entry: string) => void
}

/** Which entry of a list stands open beside it, kept in the address. The way back closes it, as it would a page of its own. */
export function useOpenEntry(): OpenEntry {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const opened = params.get('open') ?? ''
  const isAheadOfList = (state as { aheadOfList?: boolean } | null)?.aheadOfList === true
  const isClosing = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: going back is over when another entry stands open, or none
  useEffect(() => {
    isClosing.current = false
  }, [opened])
  const goBack = () => {
    // A second press would leave the list.
    if (!isClosing.current) void navigate(-1)
    isClosing.current = true
  }
  const open = (entry: string) => {
    if (entry === '' && isAheadOfList) return goBack()
    setParams((before) => withFields(before, { open: entry }), {
      replace: opened !== '',
      preventScrollReset: true,
      state: { aheadOfList: opened === '' || isAheadOfList },
    })
  }
  return { opened, open }
}
