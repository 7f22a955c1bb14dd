import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Token, tokensApi } from '#shared/api/tokens.ts'
import { ChoiceButtons } from '#web/components/form/choice-buttons.tsx'
import { Popup } from '#web/components/overlay/popup.tsx'
import { useFocusHandedOn } from '#web/hooks/use-focus-back.ts'
import { call } from '#web/lib/api.ts'
import { copyText } from '#web/lib/clipboard.ts'
import { formatMinute, formatTime, nowSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { fullKey, maskedKey } from './chat-clients.ts'
import styles from './rotate-key.module.css'

/** Seconds the old key goes on working. */
const graces = { none: 0, hour: 3600, day: 86_400, week: 604_800 } as const
type Grace = keyof typeof graces
const names = Object.keys(graces) as Grace[]

function useRotation(token: Token) {
  const queries = useQueryClient()
  const again = () => queries.invalidateQueries({ queryKey: ['tokens'] })
  return {
    rotate: useMutation({
      mutationFn: (grace: number) => call(tokensApi.rotate, { id: token.id, grace }),
      onSuccess: again,
    }),
    end: useMutation({ mutationFn: () => call(tokensApi.endGrace, { id: token.id }), onSuccess: again }),
  }
}

/** A new key for a token that programs use: both work until they have changed over. */
export function RotateKey({ token }: { token: Token }) {
  const { t } = useTranslation()
  const { end } = useRotation(token)
  if (token.key === '') return null
  return (
    <>
      {token.previous_key_expires > nowSeconds() && (
        <Button loading={end.isPending} onClick={() => end.mutate()}>
          {t('tokens.endOldKey', { time: formatMinute(token.previous_key_expires) })}
        </Button>
      )}
      <Popup target={<Button>{t('tokens.rotate')}</Button>} label={t('tokens.rotate')} width={348}>
        {(close) => <RotateBox token={token} onDone={close} />}
      </Popup>
    </>
  )
}

function RotateBox({ token, onDone }: { token: Token; onDone: () => void }) {
  const { rotate } = useRotation(token)
  const [old] = useState(maskedKey(token))
  if (rotate.data) return <NewKey token={rotate.data} old={old} onDone={onDone} />
  return (
    <RotateForm name={token.name} old={old} rotating={rotate.isPending} onRotate={rotate.mutate} onCancel={onDone} />
  )
}

interface RotateFormProps {
  name: string
  old: string
  rotating: boolean
  onRotate: (grace: number) => void
  onCancel: () => void
}

function RotateForm({ name, old, rotating, onRotate, onCancel }: RotateFormProps) {
  const { t } = useTranslation()
  const [grace, setGrace] = useState<Grace>('day')
  const box = useFocusHandedOn<HTMLDivElement>()
  const until = formatTime(nowSeconds() + graces[grace])
  return (
    <div ref={box} className={styles.box}>
      <strong>{t('tokens.rotateTitle', { name })}</strong>
      <p className={styles.small}>{t('tokens.rotateText')}</p>
      <div className={styles.choice}>
        <b aria-hidden>{t('tokens.grace')}</b>
        <ChoiceButtons
          label={t('tokens.grace')}
          value={grace}
          choices={names.map((value) => ({ value, label: t(`tokens.graces.${value}`) }))}
          onChange={setGrace}
        />
      </div>
      <p className={styles.small}>
        {grace === 'none'
          ? t('tokens.refusedAtOnce', { key: old })
          : t('tokens.refusedFrom', { key: old, time: until })}
      </p>
      <div className={styles.buttons}>
        <Button data-autofocus onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button variant="filled" loading={rotating} onClick={() => onRotate(graces[grace])}>
          {t('tokens.rotate')}
        </Button>
      </div>
    </div>
  )
}

/** The only time the whole key is on the screen. */
function NewKey({ token, old, onDone }: { token: Token; old: string; onDone: () => void }) {
  const { t } = useTranslation()
  const copy = async () => {
    if (!(await copyText(fullKey(token)))) return toast.warning(t('common.copyByHand'))
    toast.success(t('common.copied'))
    onDone()
  }
  const time = formatTime(token.previous_key_expires)
  return (
    <div className={styles.box}>
      <strong>{t('tokens.newKeyOf', { name: token.name })}</strong>
      <p className={styles.small}>
        {t('tokens.shownOnce')}{' '}
        {token.previous_key_expires > 0 ? t('tokens.oldUntil', { key: old, time }) : t('tokens.oldEnded', { key: old })}
      </p>
      <code className={styles.key}>{fullKey(token)}</code>
      <div className={styles.buttons}>
        <Button onClick={onDone}>{t('common.close')}</Button>
        <Button variant="filled" data-autofocus onClick={() => void copy()}>
          {t('tokens.copyAndClose')}
        </Button>
      </div>
    </div>
  )
}
