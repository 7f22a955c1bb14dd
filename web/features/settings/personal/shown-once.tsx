import { TextInput } from '@mantine/core'

interface Props {
  label: string
  value: string
  help?: string
}

/** A text that was made to be copied, shown so that it can be copied by hand. */
export function ShownOnce({ label, value, help }: Props) {
  return (
    <TextInput
      label={label}
      value={value}
      readOnly
      mt={16}
      maw={464}
      classNames={{ input: 'mono' }}
      {...(help === undefined ? {} : { description: help })}
      onFocus={(event) => event.currentTarget.select()}
    />
  )
}
