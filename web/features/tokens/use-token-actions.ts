import { type Token, tokensApi } from '#shared/api/tokens.ts'
import type { Page } from '#shared/pagination.ts'
import { tokenStatus } from '#shared/statuses.ts'
import type { RowAction } from '#web/components/table/row-action.ts'
import { useCopy } from '#web/hooks/use-copy.ts'
import type { List } from '#web/hooks/use-list.ts'
import type { TableState } from '#web/hooks/use-table-state.ts'
import { useUndoToast } from '#web/hooks/use-undo.ts'
import { call } from '#web/lib/api.ts'
import { reporting } from '#web/lib/failures.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.tsx'
import { useStatus } from '#web/state/status.tsx'
import { clientLinks, fullKey } from './chat-clients.ts'

const open = (link: string): unknown => window.open(link, '_blank', 'noopener,noreferrer')

/** A client with the site that gets the key. */
const named = (client: string, handsKeyTo: string | null): string => (handsKeyTo ? `${client} (${handsKeyTo})` : client)

/** What can be done to a token in the list. */
export function useTokenActions(
  list: Pick<List<Token, Page<Token>>, 'patch' | 'remove'>,
  state: Pick<TableState, 'setSearchText'>,
  onConnect: (token: Token) => void,
) {
  const { t } = useTranslation()
  const copy = useCopy(state)
  const status = useStatus()
  const undoable = useUndoToast()

  const toggle = async ({ id, status: before }: Token) => {
    const wanted = before === tokenStatus.enabled ? tokenStatus.disabled : tokenStatus.enabled
    const after = await reporting(call(tokensApi.update, { id, status: wanted, status_only: true }))
    list.patch(id, { status: after.status })
    toast.success(t('common.done'))
  }
  const remove = async ({ id }: Token) => {
    await reporting(call(tokensApi.remove, { id }))
    list.remove(id)
    await undoable(t('common.done'), { kind: 'token', target: id })
  }

  return (token: Token): RowAction[] => {
    const links = clientLinks(token, status)
    const chats = links.filter(({ handsKeyTo }) => handsKeyTo !== null)
    const withKey: RowAction[] = [
      { label: t('connect.open'), run: () => onConnect(token) },
      {
        label: t('common.copy'),
        run: () => copy(fullKey(token)),
        choices: links.map(({ name, link, handsKeyTo }) => ({
          label: t(handsKeyTo === null ? 'tokens.copyForOwnSite' : 'tokens.copyFor', {
            client: named(name, handsKeyTo),
          }),
          run: () => copy(link),
        })),
      },
      {
        label: t('tokens.chat'),
        run: () => open(chats[0]?.link ?? ''),
        choices: chats.map(({ name, link, handsKeyTo }) => ({
          label: t('tokens.chatIn', { client: named(name, handsKeyTo) }),
          run: () => open(link),
        })),
      },
    ]
    return [
      // Who runs a team sees the tokens of its members, not their keys.
      ...(token.key === '' ? [] : withKey),
      {
        label: token.status === tokenStatus.enabled ? t('common.disable') : t('common.enable'),
        widest: [t('common.disable'), t('common.enable')],
        run: () => toggle(token),
      },
      { label: t('common.edit'), icon: 'edit', to: `/token/edit/${token.id}` },
      {
        label: t('common.delete'),
        icon: 'delete',
        run: () => remove(token),
        confirm: {
          title: t('tokens.deleteTitle', { name: token.name }),
          consequence: t('tokens.deleteText'),
          verb: t('common.delete'),
        },
      },
    ]
  }
}
