import { copyText } from '#web/lib/clipboard.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import type { TableState } from './use-table-state.ts'

/** Copies from a list. What the browser refuses to copy is put into the search box, to be copied by hand. */
export function useCopy({ setSearchText }: Pick<TableState, 'setSearchText'>) {
  const { t } = useTranslation()
  return async (text: string): Promise<void> => {
    if (await copyText(text)) return toast.success(t('common.copied'))
    toast.warning(t('common.copyByHand'))
    setSearchText(text)
  }
}
