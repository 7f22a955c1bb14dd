import { Button, Modal, NativeSelect, Tabs } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Token } from '#shared/api/tokens.ts'
import { CodeBlock } from '#web/components/content/code-block.tsx'
import { streamChat } from '#web/lib/chat-stream.ts'
import { ownReport } from '#web/lib/failures.ts'
import { formatSeconds } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { coveredKey } from '#web/lib/input/covered-key.ts'
import { doorModels } from '#web/state/queries/model-queries.ts'
import { useStatus } from '#web/state/status.tsx'
import { fullKey } from './chat-clients.ts'
import styles from './connect.module.css'
import { type ConnectClient, connectClients } from './connect-clients.ts'

/** Ready texts for the programs people use, with the address and the key filled in. */
export function ConnectDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const key = fullKey(token)
  const models = useQuery(doorModels(token.id, key)).data ?? []
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('connect.title', { name: token.name })}
      size={720}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Tabs defaultValue={connectClients[0]?.name ?? ''} keepMounted={false}>
        <Tabs.List aria-label={t('connect.clients')}>
          {connectClients.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {connectClients.map((client) => (
          <Tabs.Panel key={client.name} value={client.name} pt={14}>
            <ClientSteps client={client} models={models} keyText={key} keyShown={shown} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <div className={styles.foot}>
        <span className="dimmed">{t('connect.covered')}</span>
        <Button onClick={() => setShown(!shown)}>{t(shown ? 'connect.coverKey' : 'connect.showKey')}</Button>
      </div>
    </Modal>
  )
}

interface StepsProps {
  client: ConnectClient
  models: readonly string[]
  keyText: string
  keyShown: boolean
}

function ClientSteps({ client, models, keyText, keyShown }: StepsProps) {
  const { t } = useTranslation()
  const { server_address } = useStatus()
  const [chosen, setChosen] = useState('')
  const model = chosen || (models.find((name) => client.prefers.test(name)) ?? models[0] ?? 'gpt-4o-mini')
  const parts = { server: server_address || window.location.origin, model }
  const shownKey = keyShown ? keyText : coveredKey(keyText)
  return (
    <>
      <NativeSelect
        label={t('connect.model')}
        value={model}
        data={models.includes(model) ? [...models] : [model, ...models]}
        onChange={(event) => setChosen(event.currentTarget.value)}
        w={280}
      />
      <ol className={styles.steps}>
        {client.steps.map(({ words, text }) => (
          <li key={text({ ...parts, key: '' })}>
            <p className={styles.step}>{t(`connect.steps.${words}`)}</p>
            <CodeBlock
              label={`${client.name}: ${t(`connect.steps.${words}`)}`}
              text={text({ ...parts, key: keyText })}
              shown={text({ ...parts, key: shownKey })}
            />
          </li>
        ))}
        <li>
          <p className={styles.step}>{t('connect.test')}</p>
          <TestRequest keyText={keyText} model={model} />
        </li>
      </ol>
    </>
  )
}

/** One short request through the real door with this key. */
function TestRequest({ keyText, model }: { keyText: string; model: string }) {
  const { t } = useTranslation()
  const test = useMutation({
    mutationFn: async () => {
      const ask = { model, messages: [{ role: 'user' as const, content: 'Say OK.' }], max_tokens: 16, stream: false }
      let duration = 0
      for await (const progress of streamChat(keyText, ask, AbortSignal.timeout(60_000)))
        duration = progress.duration ?? 0
      return duration
    },
    meta: ownReport,
  })
  return (
    <div className={styles.test}>
      <Button onClick={() => test.mutate()} loading={test.isPending}>
        {t('connect.send')}
      </Button>
      <span role="status">
        {test.isSuccess && t('connect.answered', { time: formatSeconds(test.data) })}
        {test.isError && <span className={styles.failed}>{test.error.message}</span>}
      </span>
    </div>
  )
}
