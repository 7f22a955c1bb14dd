import type { TFunction } from '#web/lib/i18n.ts'

/** The texts the server writes about what administrators, people and the system did, and under which words they are shown. */
const texts = [
  ['created', /^administrator (.+) created the account$/s, ['actor']],
  ['password', /^administrator (.+) set a new password for the user$/s, ['actor']],
  ['factor', /^administrator (.+) cleared the user's second factor$/s, ['actor']],
  ['removed', /^administrator (.+) deleted user (#\d+)$/s, ['actor', 'target']],
  ['changed', /^administrator (.+?) changed the user's (.+?) from (.*) to (.*)$/s, ['actor', 'field', 'from', 'to']],
  ['channelCreated', /^created channel (\d+ ".*") \((.*)\)$/s, ['target', 'type']],
  ['channelDeleted', /^deleted (?:disabled )?channel (\d+ ".*") \((.*)\)$/s, ['target', 'type']],
  ['channelChanged', /^changed channel (\d+ ".*?")[^:]*: (.*)$/s, ['target', 'what']],
  ['codeCreated', /^created 1 redemption codes (".*") of (\d+) quota each$/s, ['target', 'quota']],
  ['codesCreated', /^created (\d+) redemption codes (".*") of (\d+) quota each$/s, ['count', 'target', 'quota']],
  ['codeDeleted', /^deleted redemption code (\d+ ".*") of (\d+) quota$/s, ['target', 'quota']],
  ['codeChanged', /^changed redemption code (\d+): (.*)$/s, ['target', 'what']],
  ['channelDisabled', /^disabled channel (\d+ ".*") \((.*)\)$/s, ['target', 'type']],
  ['channelEnabled', /^enabled channel (\d+ ".*") \((.*)\)$/s, ['target', 'type']],
  ['optionChanged', /^changed the option (\w+) from (".*?") to (".*")$/s, ['target', 'from', 'to']],
  ['secretChanged', /^changed the option (\w+)$/, ['target']],
  ['secretCleared', /^cleared the option (\w+)$/, ['target']],
  ['logCleared', /^cleared (\d+) log rows older than (.+)$/, ['rows', 'time']],
  ['undone', /^undid entry (\d+) of the history \((\w+ (.*))\)$/s, ['entry', 'what', 'target']],
  ['toppedUp', /^topped up (.+) with a redemption code$/, ['money']],
  ['teamToppedUp', /^topped up (.+) with a redemption code for team (#\d+)$/, ['money', 'target']],
  ['transferred', /^transferred (.+) to team (#\d+)$/, ['money', 'target']],
  ['giftForNew', /^gift for a new registration: (.+)$/, ['money']],
  ['giftForInvited', /^gift for using an invitation code: (.+)$/, ['money']],
  ['giftForInviting', /^gift for inviting a user: (.+)$/, ['money']],
  ['resetByMail', /^the password was reset with a link sent by mail$/, []],
  ['channelRested', /^Channel (.*) has been disabled automatically: (.*)$/s, ['target', 'what']],
  ['channelBack', /^Channel (.*) has been enabled automatically: its test succeeded$/s, ['target']],
] as const

const fields: Readonly<Record<string, 'name' | 'display' | 'group' | 'quota' | 'budget' | 'role' | 'status'>> = {
  name: 'name',
  'display name': 'display',
  group: 'group',
  quota: 'quota',
  budget: 'budget',
  role: 'role',
  status: 'status',
}

/** What was done, in the reader's language; a text of another kind stays as it is. */
export function eventText(t: TFunction, content: string, target: string): string {
  for (const [name, pattern, parts] of texts) {
    const found = pattern.exec(content)
    if (!found) continue
    const values: Record<string, string> = { user: target }
    for (const [at, part] of parts.entries()) values[part] = found[at + 1] ?? ''
    const field = fields[values.field ?? '']
    if (values.field !== undefined && field === undefined) return content
    if (field) values.field = t(`logs.events.fields.${field}`)
    return t(`logs.events.${name}`, values)
  }
  return content
}
