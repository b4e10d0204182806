import {
  ArrowDownWideNarrow,
  ExternalLink,
  Languages,
  ListFilter,
  Replace,
  Scale,
  Scissors,
  Trophy,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useSchema } from '../../parts/store-queries.ts'
import { Select } from '../../ui/choice.tsx'
import { NumberField, TextField } from '../../ui/text-field.tsx'
import { FilterField } from '../../parts/filter-field.tsx'
import { Part, type ConsequenceProps, type PartProps } from './part.tsx'
import { redirectUrl } from './rule-words.ts'
import { orderOptions } from '../../parts/order-options.ts'

/** Consequences that change the search itself, each a part with one field. */

export function FilterPart({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  if (rule.filter_by === undefined) return null
  return (
    <Part
      icon={ListFilter}
      title="Show only products with"
      isDisabled={isDisabled}
      onRemove={() => change({ filter_by: undefined })}
    >
      <FilterField
        label="Filter to add"
        value={rule.filter_by}
        onChange={(filter) => change({ filter_by: filter })}
        isDisabled={isDisabled}
        error={errorAt('filter_by')}
      />
    </Part>
  )
}

export function OrderPart({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  const schema = useSchema()
  if (rule.sort_by === undefined) return null
  const value = [rule.sort_by].flat().join(',')
  return (
    <Part
      icon={ArrowDownWideNarrow}
      title="Order by"
      isDisabled={isDisabled}
      onRemove={() => change({ sort_by: undefined })}
    >
      <Select
        label="Order"
        isLabelHidden
        options={orderOptions(schema.data, value, 'Choose an order', 'Most popular first')}
        value={value}
        onChange={(order) => change({ sort_by: order })}
        isDisabled={isDisabled}
        about="Unless the visitor chose a sort order."
        error={errorAt('sort_by')}
      />
    </Part>
  )
}

interface TextPartProps extends Pick<PartProps, 'icon' | 'title'> {
  readonly member: 'replace_query' | 'remove_words' | 'redirect'
  readonly label: string
  readonly placeholder: string
  readonly about?: string
  readonly value: string | undefined
  readonly onChange: (text: string) => void
  readonly maxLength?: number
}

/** A consequence that is one text. */
function TextPart({
  rule: { state, isDisabled, errorAt },
  member,
  icon,
  title,
  value,
  ...field
}: TextPartProps & { readonly rule: ConsequenceProps }): ReactNode {
  if (value === undefined) return null
  return (
    <Part
      icon={icon}
      title={title}
      isDisabled={isDisabled}
      onRemove={() => state.change({ [member]: undefined })}
    >
      <TextField
        {...field}
        isLabelHidden
        value={value}
        isDisabled={isDisabled}
        error={errorAt(member)}
      />
    </Part>
  )
}

export function QueryPart(props: ConsequenceProps): ReactNode {
  const { rule, change } = props.state
  return (
    <TextPart
      rule={props}
      member="replace_query"
      icon={Replace}
      title="Search instead for"
      label="Query"
      placeholder="camping stove"
      maxLength={1_000}
      value={rule.replace_query}
      onChange={(text) => change({ replace_query: text })}
    />
  )
}

export function WordsPart(props: ConsequenceProps): ReactNode {
  const { rule, change } = props.state
  return (
    <TextPart
      rule={props}
      member="remove_words"
      icon={Scissors}
      title="Remove these words"
      label="Words, separated by commas"
      placeholder="cheap, best"
      about="Separated by commas. If no word is left, all products match."
      value={rule.remove_words?.join(', ')}
      onChange={(text) => change({ remove_words: text.split(',').map((word) => word.trimStart()) })}
    />
  )
}

export function RedirectPart(props: ConsequenceProps): ReactNode {
  const { rule, change } = props.state
  const { redirect } = rule
  return (
    <TextPart
      rule={props}
      member="redirect"
      icon={ExternalLink}
      title="Redirect to"
      label="Address"
      placeholder="/help/returns"
      about="A path of your shop, or an https URL."
      maxLength={2_000}
      value={redirect && redirectUrl(redirect)}
      onChange={(url) =>
        change({ redirect: typeof redirect === 'object' ? { ...redirect, url } : url })
      }
    />
  )
}

export function ExactPart({ state, isDisabled }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  if (rule.exact_match_boost === undefined) return null
  return (
    <Part
      icon={Trophy}
      title={
        rule.exact_match_boost
          ? 'Products whose value equals the query rank first'
          : 'Boosts rank above products whose value equals the query'
      }
      isDisabled={isDisabled}
      onRemove={() => change({ exact_match_boost: undefined })}
    />
  )
}

export function MeaningPart({ state, isDisabled }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  if (rule.semantic === undefined) return null
  return (
    <Part
      icon={Languages}
      title="Search by meaning"
      isDisabled={isDisabled}
      onRemove={() => change({ semantic: undefined })}
    >
      <Select
        label="Search by meaning"
        isLabelHidden
        options={MEANING_OPTIONS}
        value={rule.semantic}
        onChange={(semantic) => change({ semantic: semantic as NonNullable<typeof rule.semantic> })}
        isDisabled={isDisabled}
      />
    </Part>
  )
}

const MEANING_OPTIONS = [
  { value: 'off', label: 'Words alone' },
  { value: 'auto', label: 'Words and meaning' },
  { value: 'on', label: 'Words and meaning, while typing too' },
]

export function MeaningWeightPart({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  if (rule.semantic_weight === undefined) return null
  return (
    <Part
      icon={Scale}
      title="Weight of meaning"
      isDisabled={isDisabled}
      onRemove={() => change({ semantic_weight: undefined })}
    >
      <NumberField
        label="Weight of meaning"
        isLabelHidden
        minValue={0}
        maxValue={1}
        step={0.05}
        value={rule.semantic_weight}
        onChange={(weight) => change({ semantic_weight: weight })}
        about="0: words alone decide. 1: as much as the words of the best product."
        isDisabled={isDisabled}
        error={errorAt('semantic_weight')}
      />
    </Part>
  )
}
