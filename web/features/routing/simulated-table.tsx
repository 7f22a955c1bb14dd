import { Skeleton, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Channel } from '#shared/api/channels.ts'
import type { SimulatedRouting } from '#shared/api/routing.ts'
import { compactCount, formatQuota } from '#shared/quota.ts'
import { channelStatus } from '#shared/statuses.ts'
import { ChannelBar } from '#web/components/data/channel-type.tsx'
import { State } from '#web/components/data/state-dot.tsx'
import { InlineNumber } from '#web/components/form/inline-number.tsx'
import { useBeside } from '#web/hooks/use-beside.ts'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { withMinus } from '#web/lib/usd.ts'
import { useQuotaDisplay } from '#web/state/status.tsx'
import styles from './simulate.module.css'
import { type ChannelEdit, type DraftState, periods } from './use-draft.ts'

interface Props {
  /** Undefined while they are on their way. */
  channels: readonly Channel[] | undefined
  simulated: SimulatedRouting | undefined
  draft: DraftState
}

const lines = [0, 1, 2, 3, 4, 5]

type Compared = SimulatedRouting['channels'][number]

const differs = (row: Compared | undefined): boolean =>
  row !== undefined && (row.now.requests !== row.then.requests || row.now.profit !== row.then.profit)

/** Channels with the draft's fields, and what it would mean for each. */
export function SimulatedTable({ channels: known, simulated, draft }: Props) {
  const { t } = useTranslation()
  const channels = known ?? []
  // Narrow screens show no fields and no peak.
  const span = useBeside() ? 8 : 4
  const figures = new Map(simulated?.channels.map((row) => [row.channel_id, row]))
  const most = Math.max(1, ...[...figures.values()].flatMap(({ now, then }) => [now.requests, then.requests]))
  const [all, setAll] = useState(false)
  const isTouched = ({ id }: Channel) => draft.channels[id] !== undefined || differs(figures.get(id))
  const touched = channels.filter(isTouched)
  // What a draft leaves as it is is folded away, as long as that leaves something to see.
  const shown = all || draft.count === 0 || touched.length === 0 ? channels : touched
  return (
    <>
      <p className={styles.played}>
        <Played total={simulated?.total.now.requests} draft={draft} />
        <span className={styles.key} data-kind="was">
          {t('routing.asItWas')}
        </span>
        <span className={styles.key} data-kind="draft">
          {t('routing.withDraft')}
        </span>
      </p>
      <table className={styles.table} aria-label={t('routing.simulate')} aria-busy={!known || !simulated}>
        <thead>
          <tr>
            <th>{t('routing.channel')}</th>
            <th data-edit="">{t('routing.state')}</th>
            <th data-edit="" data-align="end">
              {t('routing.priority')}
            </th>
            <th data-edit="" data-align="end">
              {t('routing.weight')}
            </th>
            <th data-bars="">{t('routing.requests')}</th>
            <th data-align="end" data-peak="" title={t('routing.peakHelp')}>
              {t('routing.peak')}
            </th>
            <th data-align="end">{t('routing.costs')}</th>
            <th data-align="end">{t('routing.profit')}</th>
          </tr>
        </thead>
        <tbody>
          {!known &&
            lines.map((line) => (
              <tr key={line}>
                <td colSpan={span}>
                  <Skeleton height={10} width={`${40 + ((line * 37) % 50)}%`} />
                </td>
              </tr>
            ))}
          {known?.length === 0 && (
            <tr>
              <td colSpan={span}>
                {t('routing.noModel')}{' '}
                <Link className={styles.link} to="/channel/add">
                  {t('pages.channelAdd')}
                </Link>
              </td>
            </tr>
          )}
          {shown.map((channel) => {
            const edit = draft.channels[channel.id]
            return (
              <tr key={channel.id} data-edited={edit !== undefined || undefined}>
                <td>
                  <span className={styles.channel}>
                    <ChannelBar type={channel.type} />
                    <b className="name ellipsis" title={channel.name}>
                      {channel.name}
                    </b>
                  </span>
                </td>
                <Fields channel={channel} edit={edit ?? {}} onEdit={draft.editChannel} />
                <Figures row={figures.get(channel.id)} most={most} />
              </tr>
            )
          })}
          {channels.length > shown.length && (
            <tr>
              <td colSpan={span}>
                <button type="button" className={styles.link} onClick={() => setAll(true)}>
                  {t('routing.stay', { count: channels.length - shown.length })}
                </button>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </>
  )
}

/** How much is played again; without any, where there may be more. */
function Played({ total, draft }: { total: number | undefined; draft: DraftState }) {
  const { t } = useTranslation()
  if (total === undefined) return <span />
  if (total > 0)
    return <span>{t('routing.played', { count: Math.round(total), shown: formatCount(Math.round(total)) })}</span>
  const longest = String(periods.at(-1))
  return (
    <span>
      {t('routing.noTraffic')}{' '}
      {String(draft.days) !== longest && (
        <button type="button" className={styles.link} onClick={() => draft.setDays(longest)}>
          {t('routing.showDays', { count: Number(longest) })}
        </button>
      )}
    </span>
  )
}

interface FieldsProps {
  channel: Channel
  edit: ChannelEdit
  onEdit: DraftState['editChannel']
}

function Fields({ channel, edit, onEdit }: FieldsProps) {
  const { t } = useTranslation()
  const { id, name } = channel
  const change = (field: keyof ChannelEdit, value: number) => {
    const { [field]: _, ...others } = edit
    onEdit(id, value === channel[field] ? others : { ...others, [field]: value })
  }
  const status = edit.status ?? channel.status
  const words = t('states.channel', { returnObjects: true })
  const isOn = status === channelStatus.enabled
  const toggle = () => {
    if (edit.status !== undefined) return change('status', channel.status)
    change('status', isOn ? channelStatus.manuallyDisabled : channelStatus.enabled)
  }
  const number = (field: 'priority' | 'weight', label: string) => (
    <td data-edit="" data-align="end" data-changed={edit[field] !== undefined || undefined}>
      <InlineNumber
        label={label}
        value={edit[field] ?? channel[field]}
        {...(field === 'weight' ? { min: 0 } : {})}
        onSave={async (value) => change(field, value)}
      />
    </td>
  )
  return (
    <>
      <td data-edit="">
        <UnstyledButton
          className={styles.toggle}
          onClick={toggle}
          aria-label={t('routing.stateOf', { name })}
          aria-pressed={isOn}
        >
          <State kind="channel" status={status} />
          {edit.status !== undefined && (
            <span className={styles.small}>
              {t('routing.stateWas', { state: (words[channel.status as 1] ?? '').toLowerCase() })}
            </span>
          )}
        </UnstyledButton>
      </td>
      {number('priority', t('channels.priorityOf', { name }))}
      {number('weight', t('channels.weightOf', { name }))}
    </>
  )
}

function Figures({ row, most }: { row: Compared | undefined; most: number }) {
  const display = useQuotaDisplay()
  const count = (requests: number) => compactCount(Math.round(requests))
  const money = (quota: number) => withMinus(formatQuota(quota, display))
  const width = (requests: number) => `${(requests / most) * 100}%`
  if (!row)
    return (
      <>
        <td data-bars="">–</td>
        <td data-align="end" data-peak="">
          –
        </td>
        <td data-align="end">–</td>
        <td data-align="end">–</td>
      </>
    )
  const { now, then } = row
  return (
    <>
      <td data-bars="">
        <span className={styles.bars}>
          <span className={styles.strips} aria-hidden="true">
            <span style={{ width: width(now.requests) }} />
            <span style={{ width: width(then.requests) }} />
          </span>
          <Change before={count(now.requests)} after={count(then.requests)} />
        </span>
      </td>
      <td data-align="end" data-peak="">
        <Peak then={row.peak.then} rpm={row.rpm} />
      </td>
      {(['cost', 'profit'] as const).map((name) => (
        <td key={name} data-align="end" data-loss={then[name] < 0 || undefined}>
          <Change before={money(now[name])} after={money(then[name])} />
        </td>
      ))}
    </>
  )
}

/** Near its limit from here on. */
const nearShare = 0.9

/** The busiest minute with the draft, against what the channel allows. */
function Peak({ then, rpm }: { then: number; rpm: number }) {
  const { t } = useTranslation()
  const value = <span data-near={(rpm > 0 && then > rpm * nearShare) || undefined}>{formatCount(Math.ceil(then))}</span>
  if (rpm === 0) return value
  return (
    <>
      {value} <span className={styles.small}>{t('routing.ofLimit', { limit: formatCount(rpm) })}</span>
    </>
  )
}

/** Old and dim, then the new; only the one where nothing changes. */
function Change({ before, after }: { before: string; after: string }) {
  if (before === after) return <span className={styles.same}>{after}</span>
  return (
    <span className={styles.change}>
      <span className={styles.before}>{before} →</span>
      <b className="name">{after}</b>
    </span>
  )
}
