import { Button, Modal, NativeSelect, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Token } from '#shared/api/tokens.ts'
import { CodeBlock } from '#web/components/content/code-block.tsx'
import { ChoiceButtons } from '#web/components/form/choice-buttons.tsx'
import { usePhone } from '#web/hooks/screen/use-phone.ts'
import { useFocusBack } from '#web/hooks/use-focus-back.ts'
import { smallModelOf, workModels } from '#web/lib/chat/chat-models.ts'
import { copyText } from '#web/lib/clipboard.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { coveredKey } from '#web/lib/input/covered-key.ts'
import { toast } from '#web/lib/toast.tsx'
import { doorModels } from '#web/state/queries/model-queries.ts'
import { useStatus } from '#web/state/status.tsx'
import { fullKey } from './chat-clients.ts'
import styles from './connect.module.css'
import {
  type ConnectClient,
  type ConnectParts,
  connectClients,
  type ShellSystem,
  shellSystems,
} from './connect-clients.ts'
import { TestRequest } from './test-request.tsx'

const thisSystem = (): ShellSystem => (navigator.userAgent.includes('Windows') ? 'windows' : 'unix')

/** Part of an id, which has no spaces. */
const tabOf = ({ name }: ConnectClient): string => name.replaceAll(' ', '-')

/** Ready texts for the programs people use, with the address and the key filled in. */
export function ConnectDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  useFocusBack()
  const { t } = useTranslation()
  const [tab, setTab] = useState(connectClients[0] ? tabOf(connectClients[0]) : null)
  const key = fullKey(token)
  const models = useQuery(doorModels(token.id, key)).data ?? []
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('connect.title', { name: token.name })}
      size={720}
      fullScreen={usePhone()}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List aria-label={t('connect.clients')}>
          {connectClients.map((client) => (
            <Tabs.Tab key={client.name} value={tabOf(client)}>
              {client.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {connectClients.map((client) => (
          <Tabs.Panel key={client.name} value={tabOf(client)} pt={14}>
            <ClientSteps client={client} models={models} keyText={key} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Modal>
  )
}

interface StepsProps {
  client: ConnectClient
  models: readonly string[]
  keyText: string
}

function ClientSteps({ client, models, keyText }: StepsProps) {
  const { t } = useTranslation()
  const { server_address } = useStatus()
  const [chosen, setChosen] = useState('')
  const [chosenSmall, setChosenSmall] = useState('')
  const [system, setSystem] = useState(thisSystem)
  const [shown, setShown] = useState(false)
  const offered = workModels(models, client.prefers)
  const model = chosen || (offered[0] ?? 'gpt-4o-mini')
  const smallModel = chosenSmall || smallModelOf(offered, model)
  const parts = { server: server_address || window.location.origin, model, smallModel, system }
  const textOf = (text: (all: ConnectParts) => string, key: string) => text({ ...parts, key })
  const shownKey = shown ? keyText : coveredKey(keyText)
  const select = (label: string, value: string, onChange: (name: string) => void) => (
    <NativeSelect
      label={label}
      value={value}
      data={offered.includes(value) ? offered : [value, ...offered]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
  const copyAll = async () => {
    const all = client.steps.map(({ text }) => textOf(text, keyText)).join('\n\n')
    if (await copyText(all)) toast.success(t('common.copied'))
    else toast.warning(t('common.copyByHand'))
  }
  return (
    <>
      <div className={styles.choices}>
        {select(t('connect.model'), model, setChosen)}
        {client.needsSmall && select(t('connect.smallModel'), smallModel, setChosenSmall)}
        {client.steps.some(({ ofShell }) => ofShell) && (
          <ChoiceButtons
            label={t('connect.system')}
            value={system}
            choices={shellSystems.map((value) => ({ value, label: t(`connect.systems.${value}`) }))}
            onChange={setSystem}
          />
        )}
      </div>
      <ol className={styles.steps}>
        {client.steps.map(({ words, text }) => (
          <li key={textOf(text, '')}>
            <p className={styles.step}>{t(`connect.steps.${words}`)}</p>
            <CodeBlock
              label={`${client.name}: ${t(`connect.steps.${words}`)}`}
              text={textOf(text, keyText)}
              shown={textOf(text, shownKey)}
            />
          </li>
        ))}
        <li>
          <p className={styles.step}>{t('connect.test')}</p>
          <TestRequest key={model} keyText={keyText} model={model} />
        </li>
      </ol>
      <div className={styles.foot}>
        <span className="dimmed">{t('connect.covered')}</span>
        <Button onClick={() => setShown(!shown)}>{t(shown ? 'connect.coverKey' : 'connect.showKey')}</Button>
        <Button variant="filled" onClick={() => void copyAll()}>
          {t('connect.copyAll')}
        </Button>
      </div>
    </>
  )
}
