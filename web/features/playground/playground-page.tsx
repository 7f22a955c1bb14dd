import { Button, NativeSelect } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { Token } from '#shared/api/tokens.ts'
import { tokenStatus } from '#shared/statuses.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { PanelPage } from '#web/components/page/side-panel.tsx'
import { usePhone } from '#web/hooks/screen/use-phone.ts'
import { useWide } from '#web/hooks/screen/use-wide.ts'
import { chatModels } from '#web/lib/chat/chat-models.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { doorModels } from '#web/state/queries/model-queries.ts'
import { tokenList } from '#web/state/queries/token-queries.ts'
import { AnswerColumns } from './answer-columns.tsx'
import { Composer } from './composer.tsx'
import { Parameters } from './parameters.tsx'
import styles from './playground.module.css'
import { askOf, columnsMax, type SetUp, useSetUp } from './set-up.ts'
import { messagesFor, useConversation } from './use-conversation.ts'
import { useRunningCost } from './use-running-cost.ts'
import { useWhatIsLeft } from './use-what-is-left.ts'

const ParametersSheet = lazy(async () => ({ default: (await import('./parameters-sheet.tsx')).ParametersSheet }))
const CodePanel = lazy(async () => ({ default: (await import('./code-panel.tsx')).CodePanel }))

const firstTokens = { page: 1, pagesize: 100, keyword: '', order: '' }

/** Up to three models answer side by side, through the same doors as everyone else's requests. */
export function PlaygroundPage() {
  const { t } = useTranslation()
  const tokens = useQuery(tokenList(firstTokens))
  const usable = tokens.data?.list.filter(({ status }) => status === tokenStatus.enabled)
  if (tokens.isLoadingError)
    return (
      <>
        <PageHead title={t('playground.title')} />
        <CannotLoad error={tokens.error} onRetry={tokens.refetch} />
      </>
    )
  if (!usable) return <PageHead title={t('playground.title')} />
  const [first] = usable
  if (!first)
    return (
      <>
        <PageHead title={t('playground.title')} />
        <EmptyState title={t('playground.noToken')}>
          <Button component={Link} to="/token/add">
            {t('pages.tokenAdd')}
          </Button>
        </EmptyState>
      </>
    )
  return <Desk tokens={[first, ...usable.slice(1)]} />
}

function Desk({ tokens }: { tokens: [Token, ...Token[]] }) {
  const { t } = useTranslation()
  const [chosen, change] = useSetUp()
  const [showing, code] = useDisclosure(false)
  const [setting, sheet] = useDisclosure(false)
  const phone = usePhone()
  /** The code takes the place of the parameters. */
  const isBeside = useWide() && showing
  const token = tokens.find(({ id }) => id === chosen.token) ?? tokens[0]
  const models = useQuery(doorModels(token.id, `sk-${token.key}`))
  const known = models.data ?? []
  const setUp: SetUp = { ...chosen, models: chosen.models.length > 0 ? chosen.models : chatModels(known).slice(0, 1) }
  const conversation = useConversation(setUp, `sk-${token.key}`)
  const { costOf, prices } = useRunningCost(setUp, token)
  const left = useWhatIsLeft()
  const parameters = { setUp, onChange: change, turns: conversation.turns, prices }
  const add = () => {
    const next = [...chatModels(known), ...known].find((model) => !setUp.models.includes(model))
    if (next !== undefined) change({ models: [...setUp.models, next] })
  }
  const example = askOf(setUp, setUp.models[0] ?? 'gpt-4o-mini', messagesFor(conversation.turns, setUp.models[0] ?? ''))
  const panel = showing && (
    <Suspense>
      <CodePanel onClose={code.close} keyText={`sk-${token.key}`} ask={example} />
    </Suspense>
  )
  return (
    <PanelPage panel={panel}>
      <PageHead title={t('playground.title')}>
        <NativeSelect
          aria-label={t('playground.paidBy')}
          value={String(token.id)}
          onChange={(event) => change({ token: Number(event.currentTarget.value) })}
          data={tokens.map((each) => ({
            value: String(each.id),
            label: [t('playground.paidByToken', { name: each.name }), left(each)].filter(Boolean).join(' '),
          }))}
        />
        <Button
          leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}
          onClick={add}
          disabled={setUp.models.length >= columnsMax || known.length <= setUp.models.length}
        >
          {t('playground.addModel')}
        </Button>
        <Button onClick={code.open}>{t('playground.viewCode')}</Button>
        <Button variant="subtle" onClick={conversation.clear} disabled={conversation.turns.length === 0}>
          {t('playground.clear')}
        </Button>
      </PageHead>
      <div className={styles.desk} data-alone={isBeside || undefined}>
        <div className={styles.talk}>
          <AnswerColumns setUp={setUp} known={known} onChange={change} conversation={conversation} costOf={costOf} />
          <Composer key={conversation.draft.number} columns={setUp.models.length} conversation={conversation}>
            {phone && <Button onClick={sheet.open}>{t('playground.parameters')}</Button>}
          </Composer>
        </div>
        {!phone && !isBeside && <Parameters {...parameters} />}
      </div>
      {models.isSuccess && known.length === 0 && <p role="status">{t('playground.noModel')}</p>}
      <Suspense>{phone && setting && <ParametersSheet {...parameters} onClose={sheet.close} />}</Suspense>
    </PanelPage>
  )
}
