import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type Team, teamsApi } from '#shared/api/teams.ts'
import { CannotLoad } from '#web/components/page/cannot-load.tsx'
import { EmptyPage } from '#web/components/page/empty-page.tsx'
import { EmptyState } from '#web/components/page/empty-state.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { type List, useList } from '#web/hooks/use-list.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { allTeamsList, teamList } from '#web/state/queries/team-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { teamColumns } from './team-columns.tsx'
import styles from './teams.module.css'

export function TeamsPage() {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const [all, setAll] = useState(false)
  const state = useTableState([''])
  const list = useList<Team>(all ? allTeamsList : teamList, state)
  return (
    <>
      <PageHead title={t('teams.title')} count={list.answer && t('table.total', { count: list.total })}>
        {isAdmin && (
          <Checkbox label={t('teams.all')} checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
        )}
      </PageHead>
      <div className={styles.enter}>
        <Join />
        <Create />
      </div>
      <DataTable
        label={t('teams.title')}
        columns={teamColumns(t)}
        rows={list.rows}
        rowId={(team) => team.id}
        loading={list.loading}
        state={state}
        empty={<NoTeams list={list} onFirst={() => state.setPage(1)} />}
      />
      <ListFoot onRefresh={list.refresh} page={state.page} total={list.total} onPage={state.setPage} />
    </>
  )
}

interface NoTeamsProps {
  list: Pick<List<never, never>, 'total' | 'failed' | 'refresh'>
  onFirst: () => void
}

function NoTeams({ list, onFirst }: NoTeamsProps) {
  const { t } = useTranslation()
  if (list.failed) return <CannotLoad onRetry={list.refresh} />
  if (list.total > 0) return <EmptyPage onFirst={onFirst} />
  return <EmptyState title={t('teams.empty')} hint={t('teams.emptyHint')} />
}

/** Sends one word and goes to the team that is answered. */
function useEnter(send: (text: string) => Promise<Team>) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: send,
    onSuccess: ({ id }) => {
      void askAgain(queries, 'teams')
      void navigate(`/team/${id}`)
    },
  })
}

function Create() {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const create = useEnter((text) => call(teamsApi.create, { name: text }))
  return (
    <OneField
      label={t('teams.name')}
      verb={t('teams.create')}
      value={name}
      onChange={setName}
      onSend={create.mutate}
      loading={create.isPending}
    />
  )
}

/** An invitation comes as a link, or is typed. */
function Join() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const [code, setCode] = useState(params.get('invite') ?? '')
  const join = useEnter((text) => call(teamsApi.join, { code: text }))
  return (
    <OneField
      label={t('teams.invitation')}
      verb={t('teams.join')}
      value={code}
      onChange={setCode}
      onSend={join.mutate}
      loading={join.isPending}
    />
  )
}

interface OneFieldProps {
  label: string
  verb: string
  value: string
  onChange: (value: string) => void
  onSend: (value: string) => void
  loading: boolean
}

function OneField({ label, verb, value, onChange, onSend, loading }: OneFieldProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSend(value.trim())
  }
  return (
    <form className={styles.money} onSubmit={submit}>
      <TextInput
        label={label}
        value={value}
        required
        autoComplete="off"
        maxLength={60}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button type="submit" loading={loading}>
        {verb}
      </Button>
    </form>
  )
}
