import styles from './home.module.css'

const exits = [
  { name: 'OpenAI', y: 22, path: 'M243 131L352 22H446' },
  { name: 'Azure OpenAI', y: 70, path: 'M319 70H446' },
  { name: 'Google Gemini', y: 118, path: 'M271 118H446' },
  { name: 'Anthropic', y: 166, path: 'M0 142H232L256 166H446', set: true },
  { name: 'Moonshot AI', y: 214, path: 'M319 214H446' },
  { name: 'Ollama', y: 262, path: 'M267 177L352 262H446' },
]

/** One request, one lit route. */
export function RouteDrawing() {
  return (
    <svg className={styles.drawing} viewBox="0 0 596 284" fill="none" strokeLinejoin="round" aria-hidden="true">
      <text x="0" y="129" className={styles.request}>
        POST /v1/chat/completions
      </text>
      {exits.map(({ name, y, path, set }) => (
        <g key={name} className={set ? styles.set : styles.unset}>
          <path d={path} strokeWidth="2.5" />
          <rect x="445" y={y - 4} width="8" height="8" strokeWidth="2" />
          <text x="466" y={y + 4.5}>
            {name}
          </text>
        </g>
      ))}
    </svg>
  )
}
