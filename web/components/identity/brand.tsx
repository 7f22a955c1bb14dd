import { useState } from 'react'
import { Link } from 'react-router'
import { useStatus } from '#web/state/status.tsx'
import styles from './identity.module.css'
import { Mark } from './mark.tsx'

/** The configured logo and name; our own mark until there is one. */
export function Brand({ size = 20 }: { size?: number }) {
  const { logo, system_name } = useStatus()
  const [broken, setBroken] = useState('')
  const own = logo === '' || logo === '/logo.png' || logo === broken
  return (
    <Link to="/" className={styles.brand} aria-label={system_name}>
      {own ? (
        <Mark size={size} />
      ) : (
        <img src={logo} alt="" height={size} className={styles.logo} onError={() => setBroken(logo)} />
      )}
      <span title={system_name}>{system_name}</span>
    </Link>
  )
}
