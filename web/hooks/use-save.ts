import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { toast } from '#web/lib/toast.tsx'
import { leaveFreely } from '#web/state/leaving.ts'
import { askAgain, type ChangedThing } from '#web/state/queries/ask-again.ts'

interface Saving<Draft, Answer> {
  /** What the change touches. */
  name: ChangedThing
  send: (draft: Draft) => Promise<Answer>
  /** What is said when it is done. */
  done: string
  /** Where the form leads back to. */
  back: string
  onSaved?: (answer: Answer, draft: Draft) => void
  /** What is handed to the list with the navigation. */
  arrival?: (answer: Answer) => unknown
}

/** Sends a form, says so, and goes back to the list. */
export function useSave<Draft, Answer>({ name, send, done, back, onSaved, arrival }: Saving<Draft, Answer>) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: send,
    onSuccess: (answer, draft) => {
      onSaved?.(answer, draft)
      toast.success(done)
      void askAgain(queries, name)
      leaveFreely(() => void navigate(back, { state: arrival?.(answer) }))
    },
  })
}
