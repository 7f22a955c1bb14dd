import { NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import type { ComponentType } from 'react'
import type { OptionKind } from '#shared/option-kinds.ts'
import { type OptionKey, options } from '#shared/options.ts'
import { NamesField } from '#web/components/choices/names-field.tsx'
import { JsonInput } from '#web/components/form/json-input.tsx'
import { QuotaInput } from '#web/components/form/quota-input.tsx'
import { WholeNumberInput } from '#web/components/form/whole-number-input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { readDecimal } from '#web/lib/input/typed-number.ts'
import type { KindProps } from './kind-props.ts'
import { optionWords } from './option-text.ts'
import styles from './settings.module.css'
import { SwitchField } from './switch-field.tsx'

interface Props {
  name: OptionKey
  text: string
  onChange: (text: string) => void
  error: string | null
  readOnly: boolean
  /** The section already says who may change it. */
  saidAbove: boolean
  onLeave: () => void
}

const Text = ({ text, onChange, frame }: KindProps) => (
  <TextInput {...frame} value={text} onChange={(event) => onChange(event.currentTarget.value)} autoComplete="off" />
)

const Address = ({ frame, ...props }: KindProps) => (
  <Text {...props} frame={{ placeholder: frame.readOnly ? '' : 'https://', ...frame }} />
)

const Amount = ({ name, text, onChange, frame }: KindProps) => (
  <WholeNumberInput
    {...frame}
    value={text}
    read={readDecimal}
    step={options[name].step}
    onChange={(value) => onChange(String(value))}
  />
)

const Quota = ({ text, onChange, frame }: KindProps) => (
  <QuotaInput {...frame} value={text} onChange={(value) => onChange(String(value))} />
)

const Json = ({ text, onChange, frame: { error, ...frame } }: KindProps) => (
  <JsonInput
    {...frame}
    {...(error === undefined ? {} : { error })}
    value={text}
    onChange={(event) => onChange(event.currentTarget.value)}
    placeholder="{}"
  />
)

const Markup = ({ text, onChange, frame }: KindProps) => (
  <Textarea
    {...frame}
    value={text}
    onChange={(event) => onChange(event.currentTarget.value)}
    rows={6}
    resize="vertical"
  />
)

function Secret({ text, onChange, frame }: KindProps) {
  const { t } = useTranslation()
  if (frame.readOnly) return <TextInput {...frame} value="" />
  return (
    <PasswordInput
      {...frame}
      placeholder={t('settings.keepSecret')}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
    />
  )
}

const sameDomain = (value: string, current: string[]): boolean =>
  current.some((domain) => domain.toLowerCase() === value.trim().toLowerCase())

const Domains = ({ text, onChange, frame }: KindProps) => (
  <NamesField
    {...frame}
    value={text.split(',').filter(Boolean)}
    onChange={(domains) =>
      onChange(
        domains
          .map((domain) => domain.trim())
          .filter(Boolean)
          .join(','),
      )
    }
    isDuplicate={sameDomain}
    splitChars={[',', ' ']}
  />
)

function Choice({ name, text, onChange, frame: { readOnly, ...frame } }: KindProps) {
  const { t } = useTranslation()
  const words: Partial<Record<string, Readonly<Record<string, string>>>> = t('settings.choices', {
    returnObjects: true,
  })
  return (
    <NativeSelect
      {...frame}
      disabled={readOnly}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={options[name].choices.map((value) => ({ value, label: words[name]?.[value] ?? value }))}
    />
  )
}

const kinds: Record<OptionKind, ComponentType<KindProps>> = {
  text: Text,
  address: Address,
  number: Amount,
  quota: Quota,
  check: SwitchField,
  json: Json,
  markup: Markup,
  secret: Secret,
  domains: Domains,
  choice: Choice,
}

/** An option in the field its table asks for. */
export function OptionField({ name, text, onChange, error, readOnly, saidAbove, onLeave }: Props) {
  const { t } = useTranslation()
  const { kind, placeholder } = options[name]
  const words = optionWords(name)
  const Kind = kinds[kind]
  const help = readOnly && !saidAbove ? t('settings.rootOnly') : words.help
  const frame = {
    label: words.label,
    ...(help === '' ? {} : { description: help }),
    ...(error === null ? {} : { error }),
    ...(placeholder === '' || readOnly ? {} : { placeholder }),
    readOnly,
    onBlur: onLeave,
    ...(readOnly ? { className: styles.readOnly } : {}),
  }
  return <Kind name={name} text={text} onChange={onChange} frame={frame} />
}
