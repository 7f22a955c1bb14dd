import { Checkbox } from '@mantine/core'
import type { Channel } from '#shared/api/channels.ts'
import type { RouteFigures, SimulatedRouting } from '#shared/api/routing.ts'
import { channelStatus } from '#shared/statuses.ts'
import { Money } from '#web/components/data/money.tsx'
import { InlineNumber } from '#web/components/form/inline-number.tsx'
import { formatCount } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import styles from './routing.module.css'

/** What the draft changes of a channel. */
export interface ChannelEdit {
  priority?: number
  weight?: number
  status?: number
}

interface Props {
  channels: readonly Channel[]
  simulated: SimulatedRouting | undefined
  edits: ReadonlyMap<number, ChannelEdit>
  onEdit: (id: number, edit: ChannelEdit) => void
}

/** Channels with the draft's fields, and what it would mean for each. */
export function SimulatedTable({ channels, simulated, edits, onEdit }: Props) {
  const { t } = useTranslation()
  const figures = new Map(simulated?.channels.map((row) => [row.channel_id, row]))
  return (
    <table className={styles.table} aria-label={t('routing.simulate')}>
      <thead>
        <tr>
          <th>{t('routing.channel')}</th>
          <th>{t('routing.enabled')}</th>
          <th data-align="end">{t('routing.priority')}</th>
          <th data-align="end">{t('routing.weight')}</th>
          <th data-align="end">{t('routing.requests')}</th>
          <th data-align="end">{t('routing.revenue')}</th>
          <th data-align="end">{t('routing.costs')}</th>
          <th data-align="end">{t('routing.profit')}</th>
        </tr>
      </thead>
      <tbody>
        {channels.map((channel) => (
          <tr key={channel.id}>
            <td>
              <b className="name">{channel.name}</b>
            </td>
            <Fields channel={channel} edit={edits.get(channel.id) ?? {}} onEdit={onEdit} />
            <Figures row={figures.get(channel.id)} />
          </tr>
        ))}
        {simulated && (
          <tr>
            <th scope="row">{t('routing.total')}</th>
            <td colSpan={3} />
            <Figures row={simulated.total} />
          </tr>
        )}
      </tbody>
    </table>
  )
}

function Fields({ channel, edit, onEdit }: { channel: Channel; edit: ChannelEdit; onEdit: Props['onEdit'] }) {
  const { t } = useTranslation()
  const { id, name } = channel
  const change = (field: keyof ChannelEdit, value: number) => {
    const { [field]: _, ...others } = edit
    onEdit(id, value === channel[field] ? others : { ...others, [field]: value })
  }
  const save = (field: 'priority' | 'weight') => async (value: number) => change(field, value)
  return (
    <>
      <td>
        <Checkbox
          aria-label={t('routing.enabledOf', { name })}
          checked={(edit.status ?? channel.status) === channelStatus.enabled}
          onChange={(event) =>
            change('status', event.currentTarget.checked ? channelStatus.enabled : channelStatus.manuallyDisabled)
          }
        />
      </td>
      <td data-align="end">
        <InlineNumber
          label={t('channels.priorityOf', { name })}
          value={edit.priority ?? channel.priority}
          onSave={save('priority')}
        />
      </td>
      <td data-align="end">
        <InlineNumber
          label={t('channels.weightOf', { name })}
          value={edit.weight ?? channel.weight}
          min={0}
          onSave={save('weight')}
        />
      </td>
    </>
  )
}

type Compared = SimulatedRouting['total']

function Figures({ row }: { row: Compared | undefined }) {
  const count = (figures: RouteFigures) => formatCount(Math.round(figures.requests))
  return (
    <>
      <td data-align="end">
        {row && (
          <>
            {row.now.requests !== row.then.requests && <span className={styles.before}>{count(row.now)} → </span>}
            <span className={styles.after}>{count(row.then)}</span>
          </>
        )}
      </td>
      {(['quota', 'cost', 'profit'] as const).map((name) => (
        <td key={name} data-align="end">
          {row && (
            <>
              {row.now[name] !== row.then[name] && (
                <span className={styles.before}>
                  <Money quota={row.now[name]} /> →{' '}
                </span>
              )}
              <span className={styles.after}>
                <Money quota={row.then[name]} />
              </span>
            </>
          )}
        </td>
      ))}
    </>
  )
}
