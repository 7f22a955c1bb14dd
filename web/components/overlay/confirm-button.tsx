import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from './confirm.tsx'
import type { Question } from './confirm-layer.tsx'

interface Props extends ButtonProps {
  question: Question
  onConfirm: () => unknown
}

/** A button that asks first. */
export function ConfirmButton({ question, onConfirm, children, ...button }: Props) {
  const [asking, setAsking] = useState(false)
  return (
    <Confirm question={question} onConfirm={onConfirm} opened={asking} onClose={() => setAsking(false)}>
      <Button {...button} onClick={() => setAsking(true)} aria-haspopup="dialog" aria-expanded={asking}>
        {children}
      </Button>
    </Confirm>
  )
}
