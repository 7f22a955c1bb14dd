import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from 'react-router'
import { redemptionCountMax, redemptionsApi } from '#shared/api/redemptions.ts'
import { ExpiryField } from '#web/components/form/expiry-field.tsx'
import { FieldPair, FormPage, FormSection, SaveBar } from '#web/components/form/form-page.tsx'
import { QuotaInput } from '#web/components/form/quota-input.tsx'
import { WholeNumberInput } from '#web/components/form/whole-number-input.tsx'
import { useSave } from '#web/hooks/use-save.ts'
import { call } from '#web/lib/api.ts'
import { downloadText } from '#web/lib/download.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { parseTime } from '#web/lib/input/parse-time.ts'
import { fieldNumber } from '#web/lib/input/typed-number.ts'
import { validateWith } from '#web/lib/zod-form.ts'

interface Values {
  name: string
  quota: number | string
  count: number | string
  /** As written; empty means never. */
  expired_time: string
}

const expiryOf = (text: string): number => (text.trim() === '' ? 0 : (parseTime(text) ?? Number.NaN))

const draftOf = ({ name, quota, count, expired_time }: Values) => ({
  name,
  quota: fieldNumber(quota),
  count: fieldNumber(count),
  expired_time: expiryOf(expired_time),
})

/** Without `id` it creates, and hands the codes over as a file named after them. */
export function RedemptionForm({ id, initial }: { id?: number; initial: Values }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const creating = id === undefined
  const form = useForm({
    initialValues: initial,
    validate: (values) => validateWith(redemptionsApi.create.input)(draftOf(values)),
  })
  const save = useSave({
    name: 'redemptions',
    send: async (values: Values): Promise<string[]> => {
      const { count, ...rest } = draftOf(values)
      if (creating) return call(redemptionsApi.create, { ...rest, count })
      await call(redemptionsApi.update, { id, ...rest })
      return []
    },
    onSaved: (codes, { name }) => codes.length > 0 && downloadText(`${name.trim()}.txt`, codes.join('\n')),
    done: t(creating ? 'redemptions.createdToast' : 'redemptions.updatedToast'),
    back: '/redemption',
  })
  return (
    <FormPage
      title={t(creating ? 'pages.redemptionAdd' : 'pages.redemptionEdit')}
      crumb={{ label: t('redemptions.title'), to: '/redemption' }}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      dirty={form.isDirty() && !save.isSuccess}
    >
      <FormSection
        title={t('redemptions.section')}
        hint={t(creating ? 'redemptions.sectionHintAdd' : 'redemptions.sectionHint')}
      >
        <TextInput label={t('redemptions.name')} required {...form.getInputProps('name')} />
        <FieldPair>
          <QuotaInput label={t('redemptions.quota')} {...form.getInputProps('quota')} />
          {creating && (
            <WholeNumberInput
              label={t('redemptions.count')}
              description={t('redemptions.countHelp', { max: redemptionCountMax })}
              negative
              {...form.getInputProps('count')}
            />
          )}
        </FieldPair>
        <ExpiryField
          value={form.values.expired_time}
          onChange={(text) => form.setFieldValue('expired_time', text)}
          error={form.errors.expired_time}
        />
      </FormSection>
      <SaveBar
        errors={Object.keys(form.errors).length}
        submit={t(creating ? 'redemptions.submitAdd' : 'forms.save')}
        saving={save.isPending}
        secondary={{ label: t('common.cancel'), run: () => void navigate('/redemption') }}
      />
    </FormPage>
  )
}
