import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'decisions')

/** The line of a page in the index, from its heading and the line of its status. */
function lineOf(file: string): string {
  const [, number, title, status] =
    /^# (\d{4})\. (.+)\n\nDate: \d{4}-\d\d-\d\d\. Status: (.+)\.\n/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
  if (!file.startsWith(`${number}-`))
    throw new Error(`docs/decisions/${file} begins otherwise than with "# 0000. Title" and "Date: … Status: …"`)
  return `| [${number}](${file}) | ${title} | ${status} |`
}

export function decisionsPage(): string {
  const pages = readdirSync(folder).filter((file) => /^\d{4}-.*\.md$/.test(file))
  return `<!-- Drawn from the pages of this folder by \`npm run docs\`; change them. -->

# Decisions

Why it is built this way, a page for each decision. Superseded pages stay and name what took their place. The next page takes the number
after the last.

| | decision | status |
| --- | --- | --- |
${pages.sort().map(lineOf).join('\n')}
`
}
