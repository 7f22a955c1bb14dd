import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type Team, teamsApi } from '#shared/api/teams.ts'
import { PageHead } from '#web/components/page/page-head.tsx'
import { DataTable } from '#web/components/table/data-table.tsx'
import { ListEmpty } from '#web/components/table/list-empty.tsx'
import { ListFoot } from '#web/components/table/list-foot.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { useList } from '#web/hooks/use-list.ts'
import { useTableState } from '#web/hooks/use-table-state.ts'
import { useTextOf } from '#web/hooks/use-text-of.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { withFields } from '#web/lib/table-address.ts'
import { askAgain } from '#web/state/queries/ask-again.ts'
import { allTeamsList, teamList } from '#web/state/queries/team-queries.ts'
import { useUser } from '#web/state/session.tsx'
import { teamColumns } from './team-columns.tsx'
import styles from './teams.module.css'

export function TeamsPage() {
  const { t } = useTranslation()
  const { isAdmin } = useUser()
  const [params, setParams] = useSearchParams()
  const [whose, setWhose] = useTextOf(params.get('all') ?? '')
  const all = isAdmin && whose === 'true'
  const showAll = (checked: boolean) => {
    const after = checked ? 'true' : ''
    // A box answers at once; the address comes a moment later.
    setWhose(after)
    setParams((before) => withFields(before, { all: after, page: '' }), { replace: true })
  }
  const state = useTableState()
  const list = useList<Team>(all ? allTeamsList : teamList, state)
  return (
    <>
      <PageHead title={t('teams.title')} count={list.answer && t('table.total', { count: list.total })}>
        {isAdmin && (
          <Checkbox label={t('teams.all')} checked={all} onChange={(event) => showAll(event.currentTarget.checked)} />
        )}
        <SearchBox
          label={t('teams.search')}
          value={state.searchText}
          onChange={state.setSearchText}
          onSearch={list.search}
          width={240}
        />
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
        empty={<ListEmpty state={state} list={list} title={t('teams.empty')} hint={t('teams.emptyHint')} />}
      />
      <ListFoot onRefresh={list.refresh} page={state.page} total={list.total} onPage={state.setPage} />
    </>
  )
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
