import styles from './tick-box.module.css'

interface Props {
  label: string
  checked: boolean
  /** Some, but not all, of what it stands for. */
  mixed?: boolean
  disabled?: boolean
  onToggle: (range: boolean) => void
}

/** A tick of a row or of all rows: a target of 28 px around a box of 16. */
export function TickBox({ label, checked, mixed = false, disabled = false, onToggle }: Props) {
  return (
    <label className={styles.target}>
      <input
        type="checkbox"
        className={styles.box}
        aria-label={label}
        checked={checked}
        disabled={disabled}
        ref={(box) => {
          if (box) box.indeterminate = mixed
        }}
        onChange={() => undefined}
        onClick={(event) => onToggle(event.shiftKey)}
      />
    </label>
  )
}
