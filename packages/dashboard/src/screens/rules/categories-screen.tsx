import { FolderTree } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { fieldExpression } from '../../format/quoting.ts'
import { useSchema } from '../../parts/store-queries.ts'
import { PERIODS } from '../../parts/usage.tsx'
import { storePath, useStore } from '../../session/store.ts'
import { useNow } from '../../state/clock.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Segmented, Select } from '../../ui/choice.tsx'
import { numberColumn, textColumn } from '../../ui/columns.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import {
  categoryPage,
  categorySources,
  inPathOrder,
  levelOf,
  rulesByCategory,
  type CategoryPage,
  type CategorySource,
} from './category-page.ts'
import { categoryColumns, useCategoryFigures } from './category-figures.tsx'
import type { NamedRule } from './rule-draft.ts'
import { RuleEditor } from './rule-editor.tsx'
import { effectTexts, ruleState, type RuleState } from './rule-words.ts'
import { useRules } from './rules-data.ts'
import './rules.css'

/** Categories shown of a field. */
const VALUES_MAX = 10_000

/** The pages of the categories of a shop; `?category=VALUE` opens one. */
export function CategoriesScreen(): ReactNode {
  const schema = useSchema()
  const [name, setName] = useUrlState('field')
  const [category] = useUrlState('category')
  const [level] = useUrlState('level')
  const sources = useMemo(() => {
    const facets = (schema.data?.fields ?? []).filter(
      ({ type, facet }) => facet && (type === 'string' || type === 'string[]'),
    )
    return categorySources(facets.map((field) => field.name))
  }, [schema.data])
  const source = sources.find((one) => one.name === name) ?? sources[0]
  if (schema.isError) {
    return (
      <Page title="Categories">
        <ErrorState error={schema.error} onRetry={() => void schema.refetch()} />
      </Page>
    )
  }
  if (category !== '' && source !== undefined) {
    const field = source.fields.find((one) => one === level) ?? source.fields[0]!
    return <CategoryEditor key={`${field} ${category}`} field={field} value={category} />
  }
  return (
    <Page
      title="Categories"
      about="Arrange the pages of your categories: what visitors see there without a search."
    >
      {schema.isPending ? (
        <Skeleton height={400} />
      ) : source === undefined ? (
        <NoCategories />
      ) : (
        <CategoryList key={source.name} source={source} sources={sources} onSource={setName} />
      )}
    </Page>
  )
}

function NoCategories(): ReactNode {
  const { storeId } = useStore()
  return (
    <EmptyState
      icon={FolderTree}
      title="No field for categories"
      action={<LinkButton to={storePath(storeId, 'schema')}>Open schema</LinkButton>}
    >
      Categories are the values of a text field that is a facet.
    </EmptyState>
  )
}

interface Row extends CategoryPage {
  readonly products: number
  readonly depth: number
  readonly label: string
  readonly rule: NamedRule | undefined
  readonly state: RuleState | undefined
}

const STATES: Readonly<Record<RuleState, readonly [string, 'good' | 'plain' | 'accent']>> = {
  on: ['Merchandised', 'good'],
  off: ['Off', 'plain'],
  planned: ['Scheduled', 'accent'],
  ended: ['Ended', 'plain'],
}
const FILTERS = [
  { value: '', label: 'All categories' },
  { value: 'yes', label: 'Merchandised' },
  { value: 'no', label: 'Not merchandised' },
]

function CategoryList({
  source,
  sources,
  onSource,
}: {
  readonly source: CategorySource
  readonly sources: readonly CategorySource[]
  readonly onSource: (name: string) => void
}): ReactNode {
  const change = useUrlChange()
  const [text, setText] = useUrlState('find', '', { isTyped: true })
  const [shown, setShown] = useUrlState('shown')
  const [period, setPeriod] = useUrlState('days', '30')
  const days = period === '7' ? '7' : '30'
  const figures = useCategoryFigures(Number(days))
  const rows = useRows(source)
  const words = text.trim().toLowerCase()
  const found = rows.data?.filter(
    ({ value, rule }) =>
      value.toLowerCase().includes(words) &&
      (shown === '' || (shown === 'yes') === (rule !== undefined)),
  )
  const columns: readonly Column<Row>[] = [
    textColumn('category', 'Category', ({ value }) => value, {
      width: '34%',
      cell: ({ value, label, depth }) => (
        <span
          className="rules-category"
          style={{ paddingLeft: depth * INDENT_PIXELS }}
          title={value}
        >
          {label}
        </span>
      ),
    }),
    numberColumn('products', 'Products', ({ products }) => products, {
      isMain: true,
      width: '104px',
    }),
    ...categoryColumns<Row>(figures),
    textColumn('effect', 'What its rule does', ({ rule }) =>
      rule === undefined ? '' : effectTexts(rule.value).join(', '),
    ),
    textColumn('state', 'Status', ({ state }) => (state === undefined ? '' : STATES[state][0]), {
      isMain: true,
      width: '140px',
      cell: ({ state }) =>
        state === undefined ? (
          <span className="muted">–</span>
        ) : (
          <Badge kind={STATES[state][1]}>{STATES[state][0]}</Badge>
        ),
    }),
  ]
  if (rows.error !== null) return <ErrorState error={rows.error} onRetry={rows.retry} />
  return (
    <Table
      label="Categories"
      name="categories"
      rows={found}
      columns={columns}
      rowId={({ field, value }) => `${field} ${value}`}
      onOpen={({ field, value }) => change({ category: value, level: field, field: source.name })}
      total={rows.data?.length ?? 0}
      tools={
        <>
          <SearchField label="Find categories" value={text} onChange={setText} />
          {sources.length > 1 && (
            <div className="rules-filter">
              <Select
                label="Field"
                isLabelHidden
                options={sources.map(({ name }) => ({ value: name, label: name }))}
                value={source.name}
                onChange={onSource}
              />
            </div>
          )}
          <div className="rules-filter">
            <Select
              label="Shown"
              isLabelHidden
              options={FILTERS}
              value={shown}
              onChange={setShown}
            />
          </div>
          <Segmented label="Views counted" options={PERIODS} value={days} onChange={setPeriod} />
        </>
      }
      empty={
        <EmptyState icon={FolderTree} title="No category matches">
          {rows.data?.length === 0
            ? 'No product has a value in this field yet.'
            : 'Try other words or another status.'}
        </EmptyState>
      }
    />
  )
}

const INDENT_PIXELS = 20

/** The categories of the products, with their rules. */
function useRows({ fields }: CategorySource): {
  readonly data: readonly Row[] | undefined
  readonly error: unknown
  readonly retry: () => void
} {
  const { storeId, calls } = useStore()
  const rules = useRules().query
  const nowMs = useNow()
  const values = useQuery({
    queryKey: ['categories', storeId, ...fields],
    queryFn: async () => {
      const facets = fields.map((field) => `${fieldExpression(field)}(limit:${VALUES_MAX})`)
      const answer = await calls.search({
        q: '*',
        per_page: 0,
        facet_by: facets,
        apply_rules: false,
        analytics: false,
      })
      return answer.facet_counts ?? []
    },
  })
  const data = useMemo(() => {
    if (values.data === undefined || rules.data === undefined) return undefined
    const pages = values.data.flatMap(({ field, counts }) =>
      counts.map(({ value, count }) => ({
        ...categoryPage(field, String(value)),
        products: count,
      })),
    )
    const ruled = rulesByCategory(rules.data, pages)
    const rows = pages.map((page): Row => {
      const rule = ruled.get(page.filter)?.[0]
      return {
        ...page,
        ...levelOf(page.value),
        rule,
        state: rule && ruleState(rule.value, nowMs),
      }
    })
    return inPathOrder(rows)
  }, [values.data, rules.data, nowMs])
  return {
    data,
    error: values.error ?? rules.error,
    retry: () => void Promise.all([values.refetch(), rules.refetch()]),
  }
}

/** The page of one category, as visitors see it, and the rule that arranges it. */
function CategoryEditor({
  field,
  value,
}: {
  readonly field: string
  readonly value: string
}): ReactNode {
  const rules = useRules()
  const { storeId } = useStore()
  const page = useMemo(() => categoryPage(field, value), [field, value])
  const { data: all, error } = rules.query
  if (all === undefined) {
    return (
      <Page title={value} above={[{ label: 'Categories', to: storePath(storeId, 'categories') }]}>
        {error === null ? (
          <Skeleton height={400} />
        ) : (
          <ErrorState error={error} onRetry={() => void rules.query.refetch()} />
        )}
      </Page>
    )
  }
  const saved = rulesByCategory(all, [page]).get(page.filter)?.[0]
  return <RuleEditor key={saved?.id ?? ''} saved={saved} rules={rules} all={all} category={page} />
}
