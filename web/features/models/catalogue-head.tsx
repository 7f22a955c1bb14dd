import { NativeSelect } from '@mantine/core'
import { GroupBadges } from '#web/components/data/badges.tsx'
import { PageHead } from '#web/components/page/page-head.tsx'
import { SearchBox } from '#web/components/table/search-box.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { wordOf } from './model-words.ts'
import styles from './models.module.css'
import type { Catalogue, CatalogueView } from './use-catalogue.ts'

interface Props {
  view: CatalogueView
  /** Undefined while it is on its way. */
  answer: Catalogue | undefined
  /** Beside an open model there is no room for filters. */
  withFilters: boolean
}

export function CatalogueHead({ view, answer, withFilters }: Props) {
  const { t } = useTranslation()
  const { state } = view
  return (
    <>
      <PageHead title={t('models.title')} count={answer && t('models.count', { count: answer.total })}>
        {withFilters && <Filters view={view} answer={answer} />}
        <SearchBox
          label={t('models.search')}
          value={state.searchText}
          onChange={state.setSearchText}
          onSearch={state.search}
          width={240}
        />
      </PageHead>
      {answer && <PriceUnit answer={answer} />}
    </>
  )
}

function Filters({ view: { vendor, ability, narrow }, answer }: Pick<Props, 'view' | 'answer'>) {
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect
        aria-label={t('models.vendor')}
        value={vendor}
        onChange={(event) => narrow({ vendor: event.currentTarget.value })}
        data={[{ value: '', label: t('models.anyVendor') }, ...(answer?.vendors ?? [])]}
      />
      <NativeSelect
        aria-label={t('models.can')}
        value={ability}
        onChange={(event) => narrow({ ability: event.currentTarget.value })}
        data={[
          { value: '', label: t('models.anyAbility') },
          ...(answer?.abilities ?? []).map((name) => ({ value: name, label: wordOf(t, name) })),
        ]}
      />
    </>
  )
}

/** For whom the prices of the list are, and for how much. */
function PriceUnit({ answer: { groups, group_ratio } }: { answer: Catalogue }) {
  const { t } = useTranslation()
  return (
    <p className={styles.unit}>
      {t('models.unit')} <GroupBadges groups={groups.join(',')} />
      {t('models.ratio', { ratio: Number(group_ratio.toFixed(4)) })}
    </p>
  )
}
