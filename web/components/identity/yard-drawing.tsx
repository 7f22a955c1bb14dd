const unset = ['M0 160H259L487 388', 'M0 240H321', 'M0 320H401', 'M0 400H479', 'M0 480H401', 'M0 640H259L327 572']

/** The whole yard with one route set: beside the login. */
export function YardDrawing({ className }: { className?: string | undefined }) {
  return (
    <svg
      className={className}
      viewBox="0 0 640 800"
      preserveAspectRatio="xMaxYMid slice"
      fill="none"
      strokeWidth="3"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {unset.map((path) => (
        <path key={path} d={path} stroke="var(--sy-track)" />
      ))}
      <path d="M0 560H339L499 400H640" stroke="var(--sy-accent)" />
    </svg>
  )
}
