import { ActionIcon, Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { Link } from 'react-router'
import { copyText } from '#web/lib/clipboard.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { useUser } from '#web/state/session.tsx'
import { useStatus } from '#web/state/status.tsx'
import styles from './home.module.css'
import { RouteDrawing } from './route-drawing.tsx'
import { SystemFacts } from './system-facts.tsx'

const exampleFor = (base: string): string => `curl ${base}/chat/completions \\
  -H "Authorization: Bearer $SWITCHYARD_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "gpt-4o-mini",
       "messages": [{"role": "user", "content": "Hello"}]}'`

/** Our own home page, as long as the operator has not written another. */
export function Welcome() {
  const { t } = useTranslation()
  const { system_name, server_address } = useStatus()
  const base = `${server_address || window.location.origin}/v1`
  return (
    <>
      <div className={styles.top}>
        <div>
          <h1 className={styles.title}>{t('home.welcome', { name: system_name })}</h1>
          <p className={styles.lead}>{t('home.lead')}</p>
          <div className={styles.label}>{t('home.baseUrl')}</div>
          <BaseUrl address={base} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className={styles.example} tabIndex={0} aria-label={t('home.example')}>
            <pre>{exampleFor(base)}</pre>
          </section>
          <NextSteps />
        </div>
        <RouteDrawing />
      </div>
      <SystemFacts />
    </>
  )
}

function BaseUrl({ address }: { address: string }) {
  const { t } = useTranslation()
  const copy = async () => {
    if (await copyText(address)) toast.success(t('home.baseUrlCopied'))
    else toast.warning(t('common.copyByHand'))
  }
  return (
    <div className={styles.address}>
      <span>{address}</span>
      <ActionIcon aria-label={t('home.copyBaseUrl')} title={t('home.copyBaseUrl')} onClick={() => void copy()}>
        <IconCopy size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </div>
  )
}

function NextSteps() {
  const { t } = useTranslation()
  const { user } = useUser()
  const { register } = useStatus()
  return (
    <div className={styles.buttons}>
      <Button variant="filled" component={Link} to={user ? '/token/add' : '/login'}>
        {t(user ? 'home.createToken' : 'home.logIn')}
      </Button>
      {user && (
        <Button component={Link} to="/log">
          {t('home.readLog')}
        </Button>
      )}
      {!user && register && (
        <Button component={Link} to="/register">
          {t('home.register')}
        </Button>
      )}
    </div>
  )
}
