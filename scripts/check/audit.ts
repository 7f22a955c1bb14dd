import { root } from './sources.ts'

interface Report {
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> }
}

const timeoutMs = 30_000

/** Known weaknesses of our packages, rated high or worse. Without the service there is nothing to say, and nothing fails. */
export async function audit(): Promise<{ problems: string[]; note: string }> {
  const child = Bun.spawn(['npm', 'audit', '--json', '--audit-level=high'], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'ignore',
    timeout: timeoutMs,
  })
  const text = await new Response(child.stdout).text()
  const found = readReport(text)?.metadata?.vulnerabilities
  if (!found) return { problems: [], note: 'the audit service did not answer; skipped' }
  const severe = (found.high ?? 0) + (found.critical ?? 0)
  return { problems: severe === 0 ? [] : [`npm audit finds ${severe} severe weaknesses`], note: '' }
}

export function readReport(text: string): Report | null {
  try {
    return JSON.parse(text) as Report
  } catch {
    return null
  }
}
