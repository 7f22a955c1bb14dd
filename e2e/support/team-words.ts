/** What the pages of teams say, as a reader of each language sees it. */
const en = {
  empty: 'You are in no team yet.',
  name: 'Team name',
  create: 'Create a team',
  invite: 'Invite',
  makeLink: 'Make the link',
  topUp: 'Top up team',
  inviteLink: 'Invitation link',
  transferAmount: 'From your balance',
  transfer: 'Transfer',
  balance: 'Team balance',
  join: 'Join',
  addToken: 'Add team token',
  tokenName: 'Name',
  submitToken: 'Create token',
  budgetOf: 'Budget of {{name}}',
  requests: 'Requests',
  personal: 'Personal',
  remove: 'Remove',
  delete: 'Delete the team',
  confirmDelete: 'Delete',
}

const zh: typeof en = {
  empty: '你还没有加入任何团队。',
  name: '团队名称',
  create: '创建团队',
  invite: '邀请',
  makeLink: '生成链接',
  topUp: '为团队充值',
  inviteLink: '邀请链接',
  transferAmount: '从你的余额转入',
  transfer: '转入',
  balance: '团队余额',
  join: '加入',
  addToken: '添加团队令牌',
  tokenName: '名称',
  submitToken: '创建令牌',
  budgetOf: '{{name}} 的预算',
  requests: '请求数',
  personal: '个人',
  remove: '移除',
  delete: '删除团队',
  confirmDelete: '删除',
}

export type TeamWords = typeof en
export const teamWords = { en, zh }
