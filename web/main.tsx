import '#web/theme/mantine.ts'
import '#web/theme/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app/app.tsx'
import { startLanguage } from '#web/lib/i18n.ts'
import { printInLight } from '#web/state/scheme.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

printInLight()
await startLanguage()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
