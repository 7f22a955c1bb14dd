import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ChatAsk } from '#web/lib/chat/chat-stream.ts'
import { type SnippetName, snippets } from '#web/lib/chat/snippets.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { coveredKey } from '#web/lib/input/covered-key.ts'
import { useStatus } from '#web/state/status.tsx'
import { CodeBlock } from './code-block.tsx'
import styles from './snippets.module.css'

const names = Object.keys(snippets) as SnippetName[]

/** A chat as code. The key is covered on the screen and whole in what is copied. */
export function Snippets({ keyText, ask, beside }: { keyText: string; ask: ChatAsk; beside?: ReactNode }) {
  const { t } = useTranslation()
  const { server_address } = useStatus()
  const { stream: _, ...plain } = ask
  const messages = plain.messages.some(({ role }) => role === 'user')
    ? plain.messages
    : [...plain.messages, { role: 'user' as const, content: 'Hello' }]
  const parts = { server: server_address || window.location.origin, ask: { ...plain, messages } }
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <div className={styles.head}>
        <Tabs.List aria-label={t('playground.viewCode')}>
          {names.map((name) => (
            <Tabs.Tab key={name} value={name} px={10}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {beside}
      </div>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>
          <CodeBlock
            label={name}
            text={snippets[name]({ ...parts, key: keyText })}
            shown={snippets[name]({ ...parts, key: coveredKey(keyText) })}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
