import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from 'react-router'
import { type Token, tokensApi } from '#shared/api/tokens.ts'
import { NamesField } from '#web/components/choices/names-field.tsx'
import { State } from '#web/components/data/state-dot.tsx'
import { BudgetFields } from '#web/components/form/budget-fields.tsx'
import { ExpiryField } from '#web/components/form/expiry-field.tsx'
import { FieldPair, FormPage, FormSection, SaveBar } from '#web/components/form/form-page.tsx'
import { LimitFields } from '#web/components/form/limit-fields.tsx'
import { QuotaInput } from '#web/components/form/quota-input.tsx'
import { useChannelModels } from '#web/hooks/use-channel-models.ts'
import { useSave } from '#web/hooks/use-save.ts'
import { call } from '#web/lib/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { TokenFacts } from './token-facts.tsx'
import styles from './token-form.module.css'
import { TokenTools } from './token-tools.tsx'
import { changeOf, draftOf, type TokenValues, validateToken } from './token-values.ts'
import { WalletFields } from './wallet-fields.tsx'

/** Without a token it creates one. */
export function TokenForm({ token, initial }: { token?: Token; initial: TokenValues }) {
  const id = token?.id
  const { t } = useTranslation()
  const navigate = useNavigate()
  const models = useChannelModels()
  const form = useForm({ initialValues: initial, validate: validateToken(initial) })
  const save = useSave({
    name: 'tokens',
    send: (values: TokenValues) =>
      id === undefined
        ? call(tokensApi.create, draftOf(values))
        : call(tokensApi.update, { id, ...changeOf(values, form.getInitialValues()) }),
    done: t(id === undefined ? 'tokens.createdToast' : 'tokens.updatedToast'),
    back: '/token',
    arrival: (saved) => (id === undefined ? { connect: saved.id } : null),
  })
  const changed = Object.keys(initial).filter((name) => form.isDirty(name)).length
  return (
    <FormPage
      title={token?.name ?? t('pages.tokenAdd')}
      crumb={{ label: t('tokens.title'), to: '/token' }}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      dirty={form.isDirty() && !save.isSuccess}
      state={token && <State kind="token" status={token.status} />}
      tools={token && <TokenTools token={token} />}
    >
      <FormSection
        title={t('tokens.identity')}
        hint={t('tokens.identityHint')}
        facts={token && <TokenFacts token={token} />}
      >
        <TextInput
          label={t('tokens.name')}
          required
          maxLength={60}
          autoFocus={id === undefined}
          {...form.getInputProps('name')}
        />
        <WalletFields form={form} owner={token?.user_id} />
        <ExpiryField
          value={form.values.expired_time}
          onChange={(text) => form.setFieldValue('expired_time', text)}
          error={form.errors.expired_time}
        />
      </FormSection>
      <FormSection title={t('tokens.budget')} hint={t('tokens.budgetHint')}>
        <FieldPair>
          <QuotaInput
            label={t('tokens.remainQuota')}
            disabled={form.values.unlimited_quota}
            {...form.getInputProps('remain_quota')}
          />
          <Checkbox
            className={styles.unlimited}
            label={t('tokens.unlimited')}
            description={t('tokens.unlimitedHelp')}
            {...form.getInputProps('unlimited_quota', { type: 'checkbox' })}
          />
        </FieldPair>
        <BudgetFields field={(name) => form.getInputProps(name)} used={token} />
      </FormSection>
      <FormSection title={t('tokens.rates')} hint={t('tokens.ratesHint')}>
        <LimitFields field={(name) => form.getInputProps(name)} used={token ?? {}} />
      </FormSection>
      <FormSection title={t('tokens.limits')} hint={t('tokens.limitsHint')}>
        <NamesField
          label={t('tokens.models')}
          description={t('tokens.modelsHelp')}
          data={models.all}
          limit={100}
          comboboxProps={{ portalProps: { target: '#floating' } }}
          {...form.getInputProps('models')}
          value={form.values.models}
        />
        <NamesField
          label={t('tokens.subnet')}
          description={t('tokens.subnetHelp')}
          {...form.getInputProps('subnet')}
          value={form.values.subnet}
        />
      </FormSection>
      <SaveBar
        errors={Object.keys(form.errors).length}
        message={id !== undefined && changed > 0 && t('forms.unsaved', { count: changed })}
        submit={t(id === undefined ? 'tokens.submitAdd' : 'forms.save')}
        saving={save.isPending}
        secondary={{ label: t('common.cancel'), run: () => void navigate('/token') }}
      />
    </FormPage>
  )
}
