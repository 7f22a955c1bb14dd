import styles from './choice-buttons.module.css'

interface Props<Value extends string> {
  label: string
  value: Value
  choices: ReadonlyArray<{ value: Value; label: string }>
  onChange: (value: Value) => void
}

/** A few choices side by side, of which one is pressed. */
export function ChoiceButtons<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  return (
    <fieldset className={styles.group} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={styles.choice}
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}
