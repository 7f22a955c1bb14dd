import { variables } from '#server/process/config.ts'
import { errors } from '#shared/errors.ts'
import { optionSections } from '#shared/option-sections.ts'
import { options } from '#shared/options.ts'

const origin = (file: string) => `<!-- Drawn from ${file} by \`npm run docs\`; change it there. -->`
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (text: string) => (text === '' ? '' : `\`${cell(text)}\``)

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

export function configurationPage(): string {
  const rows = Object.entries(variables).map(([name, { default: fallback, help }]) => [
    code(name),
    code(fallback),
    cell(help),
  ])
  return `${origin('server/process/config.ts')}

# Configuration

Environment variables, read once at the start. All bad values are named together and stop the start with exit code 2; an
empty value means the default. What can change while the system runs is an option in the console: see [options](options.md).

${table(['Variable', 'Default', 'Meaning'], rows)}
`
}

export function exampleEnvironment(): string {
  const lines = Object.entries(variables).map(
    ([name, { default: fallback, help }]) => `# ${help.replaceAll('`', '')}\n# ${name}=${fallback}`,
  )
  return `# Drawn from server/process/config.ts by npm run docs. Every line is optional; the values shown are the defaults.\n\n${lines.join('\n\n')}\n`
}

export function errorsPage(): string {
  const rows = Object.entries(errors).map(([name, [status, message]]) => [code(name), String(status), cell(message)])
  return `${origin('shared/errors.ts')}

# Errors of the console API

A refusal is \`{"success": false, "message": "…", "code": "…"}\`. The code is stable, the message is for people. Refusals by a
rule of the product come with HTTP 200, as the console expects them; \`{name}\` stands for a value filled in.

${table(['Code', 'Status', 'Message'], rows)}
`
}

const longDefault = 60

export function optionsPage(): string {
  const sections = Object.entries(optionSections).map(([section, { tab, title }]) => {
    const rows = Object.entries(options)
      .filter(([, option]) => option.section === section)
      .map(([name, { label, help, ...option }]) => [
        code(name),
        cell(`${label}. ${help}`.trim()),
        option.secret ? 'secret, never shown' : code(shorten(option.default)),
        option.writer === 'root' ? 'the super administrator' : 'administrators',
      ])
    return `## ${tab.charAt(0).toUpperCase()}${tab.slice(1)}: ${title}\n\n${table(['Option', 'What it does', 'Default', 'Written by'], rows)}`
  })
  return `${origin('shared/options.ts')}

# Options

Settings that change while the system runs: in the console under Settings, or by \`PUT /api/option/\` with \`{key, value}\`, the value
always as text. Every node follows at once. Unknown keys and values that do not fit are refused and nothing changes.

${sections.join('\n\n')}
`
}

const shorten = (text: string) => (text.length > longDefault ? `${text.slice(0, longDefault)}…` : text)
