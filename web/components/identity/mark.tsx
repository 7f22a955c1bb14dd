/** Two tracks, one of them set. */
export function Mark({ size }: { size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      strokeWidth="2.25"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M1 4.5h5.4" stroke="var(--sy-ink-3)" />
      <path d="M1 11.5h3.9l5.6-7H15" stroke="var(--sy-accent)" />
    </svg>
  )
}
