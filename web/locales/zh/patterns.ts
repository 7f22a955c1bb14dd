/** Texts of the contract and refusals that carry something of the moment. */
export const patterns: ReadonlyArray<readonly [english: RegExp, chinese: string]> = [
  [/^must be at most (\d+) characters$/, '最长 $1 个字符'],
  [/^must be between (\S+) and (\S+)$/, '必须在 $1 到 $2 之间'],
  [/^.+: the value of "(.*)" must be a number from 0 to (\d+)$/s, '“$1”的值必须是 0 到 $2 之间的数字'],
  [/^Fill in (.+) first$/, '请先填写 $1'],
  [/^Unknown option: (.*)$/s, '未知的选项：$1'],
  [/^Only the super administrator may change (.+)$/, '只有超级管理员可以更改 $1'],
  [/^You have reached the limit of (\d+) tokens; delete one first$/, '令牌数量已达上限 $1，请先删除一个'],
  [/^Balance query failed: (.*)$/s, '查询余额失败：$1'],
  [/^Invalid URL \((.*)\)$/s, '无效的 URL（$1）'],
]
