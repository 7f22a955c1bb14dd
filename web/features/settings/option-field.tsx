import { NativeSelect, NumberInput, PasswordInput, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonInput } from '#web/components/form/json-input.tsx'
import { QuotaInput } from '#web/components/form/quota-input.tsx'
import type { Field, FieldKind } from './option-tables.ts'
import styles from './settings.module.css'
import { SwitchField } from './switch-field.tsx'

interface Props {
  field: Field
  text: string
  onChange: (text: string) => void
  error: string | null
  readOnly: boolean
  /** The section already says who may change it. */
  saidAbove: boolean
  onLeave: () => void
}

/** What every kind of field is given; `frame` goes to the input as it is. */
export interface KindProps {
  field: Field
  text: string
  onChange: (text: string) => void
  frame: {
    label: string
    description?: string
    error?: string
    readOnly: boolean
    placeholder?: string
    onBlur: () => void
  }
}

const Text = ({ text, onChange, frame }: KindProps) => (
  <TextInput {...frame} value={text} onChange={(event) => onChange(event.currentTarget.value)} autoComplete="off" />
)

const Address = ({ frame, ...props }: KindProps) => (
  <Text {...props} frame={{ placeholder: frame.readOnly ? '' : 'https://', ...frame }} />
)

const Amount = ({ field, text, onChange, frame }: KindProps) => (
  <NumberInput
    {...frame}
    value={text}
    onChange={(value) => onChange(String(value))}
    min={0}
    step={field.step ?? 1}
    thousandSeparator=","
    allowNegative={false}
    clampBehavior="none"
    hideControls
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
  <TagsInput
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

function Theme({ text, onChange, frame: { readOnly, ...frame } }: KindProps) {
  const { t } = useTranslation()
  const names = t('settings.themes', { returnObjects: true })
  return (
    <NativeSelect
      {...frame}
      disabled={readOnly}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={Object.entries(names).map(([value, label]) => ({ value, label }))}
    />
  )
}

const kinds: Record<FieldKind, ComponentType<KindProps>> = {
  text: Text,
  address: Address,
  number: Amount,
  quota: Quota,
  check: SwitchField,
  json: Json,
  markup: Markup,
  secret: Secret,
  domains: Domains,
  theme: Theme,
}

/** An option in the field its table asks for. */
export function OptionField({ field, text, onChange, error, readOnly, saidAbove, onLeave }: Props) {
  const { t } = useTranslation()
  const Kind = kinds[field.kind]
  const help = readOnly && !saidAbove ? t('settings.rootOnly') : t(`options.${field.key}.help`)
  const frame = {
    label: t(`options.${field.key}.label`),
    ...(help === '' ? {} : { description: help }),
    ...(error === null ? {} : { error }),
    ...(field.placeholder === undefined || readOnly ? {} : { placeholder: field.placeholder }),
    readOnly,
    onBlur: onLeave,
    ...(readOnly ? { className: styles.readOnly } : {}),
  }
  return <Kind field={field} text={text} onChange={onChange} frame={frame} />
}
