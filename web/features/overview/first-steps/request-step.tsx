import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { tokensApi } from '#shared/api/tokens.ts'
import { CodeBlock } from '#web/components/content/code-block.tsx'
import { call } from '#web/lib/api.ts'
import { chatModels } from '#web/lib/chat/chat-models.ts'
import { snippets } from '#web/lib/chat/snippets.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { coveredKey } from '#web/lib/input/covered-key.ts'
import { doorModels } from '#web/state/queries/model-queries.ts'
import { useStatus } from '#web/state/status.tsx'
import styles from './first-steps.module.css'

/** What a program needs for its first request, with the newest token. */
export function RequestStep() {
  const { t } = useTranslation()
  const args = { pagesize: 1 }
  const { data } = useQuery({ queryKey: ['tokens', args], queryFn: () => call(tokensApi.list, args) })
  const token = data?.list[0]
  return (
    <>
      {token && <Connection tokenId={token.id} apiKey={`sk-${token.key}`} />}
      <Button component={Link} to="/playground" variant="filled">
        {t('steps.request.go')}
      </Button>
    </>
  )
}

function Connection({ tokenId, apiKey }: { tokenId: number; apiKey: string }) {
  const { t } = useTranslation()
  const { server_address } = useStatus()
  const { data: models } = useQuery(doorModels(tokenId, apiKey))
  const server = server_address || window.location.origin
  const [model] = chatModels(models ?? [])
  const curl = (key: string) =>
    snippets.curl({ server, key, ask: { model: model ?? '', messages: [{ role: 'user', content: 'Hello' }] } })
  const blocks = [
    { label: t('steps.request.address'), text: `${server}/v1` },
    { label: t('tokens.key'), text: apiKey, shown: coveredKey(apiKey) },
    ...(model ? [{ label: 'curl', text: curl(apiKey), shown: curl(coveredKey(apiKey)) }] : []),
  ]
  return (
    <dl className={styles.connection}>
      {blocks.map((block) => (
        <div key={block.label}>
          <dt>{block.label}</dt>
          <dd>
            <CodeBlock {...block} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
