import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { suggestedModelMapping } from '#shared/api/channels.ts'
import { GroupField } from '#web/components/choices/group-field.tsx'
import { NamesField } from '#web/components/choices/names-field.tsx'
import { FieldLinks, FormSection } from '#web/components/form/form-page.tsx'
import { JsonInput } from '#web/components/form/json-input.tsx'
import styles from '#web/features/channels/channels.module.css'
import { useChannelModels } from '#web/hooks/use-channel-models.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { modelNames } from '#web/state/queries/channel-queries.ts'
import type { ChannelFormState } from './channel-values.ts'
import { UnpricedModels } from './unpriced-models.tsx'
import { useFetchedModels } from './use-fetched-models.ts'

const isFirst = (name: string, at: number, all: readonly string[]): boolean => all.indexOf(name) === at

/** More of them would bury the rest of the form. */
const shownMax = 40

const suggestion = JSON.stringify(suggestedModelMapping, null, 2)

/** What the channel serves, under which names, and to whom. */
export function ModelsSection({ form, id }: { form: ChannelFormState; id: number | undefined }) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('channels.form.modelsTitle')} hint={t('channels.form.modelsHint')}>
      <ModelsField form={form} id={id} />
      <GroupField
        label={t('channels.form.groups')}
        description={t('channels.form.groupsHelp')}
        {...form.getInputProps('group')}
        value={form.values.group}
      />
      <div>
        <JsonInput
          label={t('channels.form.mapping')}
          description={t('channels.form.mappingHelp')}
          placeholder={suggestion}
          rows={6}
          value={form.values.model_mapping}
          onChange={(event) => form.setFieldValue('model_mapping', event.currentTarget.value)}
          onBlur={(event) => {
            // An error that appears while a button is being pressed would move it away from under the pointer.
            if (!(event.relatedTarget instanceof HTMLButtonElement)) form.validateField('model_mapping')
          }}
          error={form.errors.model_mapping?.toString()}
        />
        <FieldLinks
          links={[
            { label: t('channels.form.fillMapping'), run: () => form.setFieldValue('model_mapping', suggestion) },
          ]}
        />
      </div>
    </FormSection>
  )
}

function ModelsField({ form, id }: { form: ChannelFormState; id: number | undefined }) {
  const { t } = useTranslation()
  const { type, models } = form.values
  const { ofType } = useChannelModels()
  const all = useQuery(modelNames)
  const fetched = useFetchedModels(form, id)
  const [unfolded, setUnfolded] = useState(false)
  const fill = (names: readonly string[]) => form.setFieldValue('models', [...names])
  const folds = models.length > shownMax && !unfolded
  const rest = folds ? models.slice(shownMax) : []
  return (
    <div>
      <NamesField
        label={t('channels.form.models')}
        required
        description={t('channels.form.modelsHelp')}
        data={[...new Set([...ofType(type), ...(all.data ?? [])])]}
        limit={100}
        maxDropdownHeight={260}
        comboboxProps={{ portalProps: { target: '#floating' } }}
        mono
        {...form.getInputProps('models')}
        value={folds ? models.slice(0, shownMax) : models}
        // What is new stands first while the list is folded, or nobody would see it.
        onChange={(shown) =>
          fill(folds ? [...shown.filter((name) => !models.includes(name)), ...shown, ...rest].filter(isFirst) : shown)
        }
      />
      {folds && (
        <p className={styles.unpriced}>{t('channels.form.folded', { count: models.length, shown: shownMax })}</p>
      )}
      <FieldLinks
        links={[
          ...(folds
            ? [{ label: t('channels.form.unfold', { count: models.length }), run: () => setUnfolded(true) }]
            : []),
          { label: t('channels.form.fetch'), run: fetched },
          { label: t('channels.form.fillType'), run: () => fill(ofType(type)) },
          { label: t('channels.form.fillAll'), run: () => fill(all.data ?? []) },
          { label: t('channels.form.clear'), run: () => fill([]) },
        ]}
      />
      <UnpricedModels models={models} />
    </div>
  )
}
