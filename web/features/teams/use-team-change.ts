import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { askAgain } from '#web/state/queries/ask-again.ts'

/** Does something to a team, says so, and reads it again. */
export function useTeamChange<Args, Answer>(
  send: (args: Args) => Promise<Answer>,
  onDone?: (answer: Answer, args: Args) => void,
) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (answer, args) => {
      toast.success(t('common.done'))
      void askAgain(queries, 'teams')
      onDone?.(answer, args)
    },
  })
}
