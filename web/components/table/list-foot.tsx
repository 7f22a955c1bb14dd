import { ActionIcon, Button, Pagination } from '@mantine/core'
import { IconChevronDown, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { pageCount, pageSizeDefault } from '#shared/pagination.ts'
import { ActionMenu } from '#web/components/overlay/action-menu.tsx'
import { Confirm } from '#web/components/overlay/confirm.tsx'
import type { Question } from '#web/components/overlay/confirm-layer.tsx'
import { usePhone } from '#web/hooks/screen/use-phone.ts'
import { useRunning } from '#web/hooks/use-running.ts'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './list-foot.module.css'

export interface FootAction {
  label: string
  run: () => unknown
  confirm?: Question
  disabled?: boolean
}

interface Props {
  /** The one filled button: "Add channel". */
  primary?: { label: string; to: string } | undefined
  others?: readonly FootAction[]
  onRefresh?: () => unknown
  page: number
  total: number
  /** There are more rows than that; they were not counted. */
  isLowerBound?: boolean | undefined
  /** Rows a page. */
  size?: number
  onPage: (page: number) => void
  /** Progress of long work and the like. */
  children?: ReactNode
}

/** Sticks under a list: what can be done with it, where in it one is. */
export function ListFoot({
  primary,
  others = [],
  onRefresh,
  page,
  total,
  isLowerBound = false,
  size = pageSizeDefault,
  onPage,
  children,
}: Props) {
  const phone = usePhone()
  return (
    <div className={styles.foot}>
      <div className={styles.buttons}>
        {primary && (
          <Button variant="filled" component={Link} to={primary.to}>
            {primary.label}
          </Button>
        )}
        {phone ? <MoreMenu actions={others} /> : others.map((action) => <FootButton key={action.label} {...action} />)}
        {onRefresh && <RefreshButton onRefresh={onRefresh} phone={phone} />}
        {children}
      </div>
      {total > 0 && <Pager page={page} total={total} isLowerBound={isLowerBound} size={size} onPage={onPage} />}
    </div>
  )
}

function FootButton({ label, run, confirm, disabled }: FootAction) {
  const [asking, setAsking] = useState(false)
  const [running, start] = useRunning()
  return (
    <Confirm question={confirm} onConfirm={run} opened={asking} onClose={() => setAsking(false)}>
      <Button
        onClick={() => (confirm ? setAsking(true) : void start(run))}
        loading={running}
        data-disabled={disabled ?? false}
      >
        {label}
      </Button>
    </Confirm>
  )
}

function MoreMenu({ actions }: { actions: readonly FootAction[] }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState<FootAction | null>(null)
  const [running, start] = useRunning()
  if (actions.length === 0) return null
  const entries = actions.map((action) => ({
    label: action.label,
    disabled: action.disabled ?? false,
    run: () => (action.confirm ? setAsking(action) : void start(action.run)),
  }))
  return (
    <Confirm
      question={asking?.confirm}
      onConfirm={() => asking?.run()}
      opened={asking !== null}
      onClose={() => setAsking(null)}
    >
      <span>
        <ActionMenu
          entries={entries}
          position="top-start"
          target={
            <Button loading={running} rightSection={<IconChevronDown size={16} stroke={1.6} aria-hidden />}>
              {t('common.more')}
            </Button>
          }
        />
      </span>
    </Confirm>
  )
}

function RefreshButton({ onRefresh, phone }: { onRefresh: () => unknown; phone: boolean }) {
  const { t } = useTranslation()
  const icon = <IconRefresh size={16} stroke={1.6} aria-hidden />
  if (phone)
    return (
      <ActionIcon size={40} aria-label={t('common.refresh')} onClick={() => void onRefresh()}>
        {icon}
      </ActionIcon>
    )
  return (
    <Button leftSection={icon} onClick={() => void onRefresh()}>
      {t('common.refresh')}
    </Button>
  )
}

type PagerProps = Required<Pick<Props, 'page' | 'total' | 'isLowerBound' | 'size' | 'onPage'>>

function Pager({ page, total, isLowerBound, size, onPage }: PagerProps) {
  const { t } = useTranslation()
  const nav = useRef<HTMLElement>(null)
  const from = (page - 1) * size + 1
  const to = Math.min(total, page * size)
  useLayoutEffect(() => {
    // "Next" ends at the last page, and what is disabled cannot keep the focus.
    const held = document.activeElement
    if (held?.matches(':disabled') && nav.current?.contains(held))
      nav.current.querySelector<HTMLElement>('[aria-current="page"]')?.focus()
  })
  return (
    <nav ref={nav} className={styles.pager} aria-label={t('table.pages')}>
      {from <= total && (
        <span className="dimmed">
          {t('table.range', { from, to, total: isLowerBound ? `${formatCount(total)}+` : total })}
        </span>
      )}
      <Pagination
        total={pageCount(total, size)}
        value={page}
        onChange={onPage}
        siblings={1}
        getItemProps={(item) => ({ 'aria-label': t('table.page', { page: item }) })}
        getControlProps={(control) => ({
          'aria-label': t(control === 'next' ? 'table.nextPage' : 'table.previousPage'),
        })}
      />
    </nav>
  )
}
