import { ActionIcon, Button, FileButton, Textarea } from '@mantine/core'
import { IconPaperclip, IconPlayerStop, IconX } from '@tabler/icons-react'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'
import { commandKey } from '#web/lib/keys.ts'
import { toast } from '#web/lib/toast.tsx'
import { isPicture, pictureTypes, readPicture } from './pictures.ts'
import styles from './playground.module.css'
import type { useConversation } from './use-conversation.ts'

interface Props {
  columns: number
  conversation: ReturnType<typeof useConversation>
  /** More buttons beside the one that attaches. */
  children?: ReactNode
}

/** What all models are asked, with pictures. */
export function Composer({ columns, conversation, children }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState(conversation.draft.text)
  const [images, setImages] = useState<string[]>(conversation.draft.images)
  const { isRunning, send, stop } = conversation
  const ready = text.trim() !== '' && columns > 0 && !isRunning
  const add = async (files: readonly File[]) => {
    if (files.some((file) => !isPicture(file))) toast.warning(t('playground.badPicture'))
    const read = await Promise.all(files.filter(isPicture).map(readPicture))
    setImages((before) => [...before, ...read])
  }
  const submit = () => {
    if (!ready) return
    send(text.trim(), images)
    setText('')
    setImages([])
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit()
    if (event.key === 'Escape') stop()
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void add([...event.dataTransfer.files])
  }
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length > 0) void add([...event.clipboardData.files])
  }
  return (
    <div className={styles.composer}>
      {images.length > 0 && (
        <div className={styles.pictures}>
          {images.map((url, index) => (
            <span key={url.slice(-40)} className={styles.attached}>
              <img src={url} alt={t('playground.picture', { number: index + 1 })} className={styles.picture} />
              <ActionIcon
                size={24}
                aria-label={t('playground.removePicture', { number: index + 1 })}
                onClick={() => setImages(images.filter((_, at) => at !== index))}
              >
                <IconX size={14} stroke={1.6} aria-hidden />
              </ActionIcon>
            </span>
          ))}
        </div>
      )}
      <Textarea
        aria-label={t('playground.message')}
        placeholder={t('playground.placeholder', { count: columns })}
        rows={3}
        resize="vertical"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
        onPaste={paste}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      />
      <div className={styles.send}>
        <FileButton onChange={(files) => void add(files)} accept={pictureTypes.join(',')} multiple>
          {(button) => (
            <Button {...button} leftSection={<IconPaperclip size={16} stroke={1.6} aria-hidden />}>
              {t('playground.attach')}
            </Button>
          )}
        </FileButton>
        {children}
        <span className={styles.limits}>{t('playground.limits')}</span>
        <kbd className={styles.kbd}>{commandKey('Enter')}</kbd>
        {isRunning ? (
          <Button variant="filled" onClick={stop} leftSection={<IconPlayerStop size={16} stroke={1.6} aria-hidden />}>
            {t('playground.stop')}
          </Button>
        ) : (
          <Button variant="filled" onClick={submit} disabled={!ready}>
            {t('playground.send')}
          </Button>
        )}
      </div>
    </div>
  )
}
