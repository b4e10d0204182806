import {
  ArrowDownWideNarrow,
  ExternalLink,
  ListFilter,
  Replace,
  Scissors,
  Trophy,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useSchema } from '../../parts/store-queries.ts'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { FilterField } from './filter-field.tsx'
import { Part, type ConsequenceProps } from './part.tsx'
import { redirectUrl } from './rule-words.ts'

/** Consequences that change the search itself. */

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
        label="Filter that is added"
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
  const options = [
    { value: '', label: 'Choose an order' },
    { value: '_popularity:desc', label: 'Most popular first' },
    ...(schema.data?.fields ?? [])
      .filter(({ sort }) => sort)
      .flatMap(({ name, type }) => [
        {
          value: `${name}:asc`,
          label: `${name}, ${type === 'string' ? 'A to Z' : 'lowest first'}`,
        },
        {
          value: `${name}:desc`,
          label: `${name}, ${type === 'string' ? 'Z to A' : 'highest first'}`,
        },
      ]),
  ]
  const isKnown = options.some((option) => option.value === value)
  const error = errorAt('sort_by')
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
        options={isKnown ? options : [...options, { value, label: value }]}
        value={value}
        onChange={(order) => change({ sort_by: order })}
        isDisabled={isDisabled}
        about="Unless the visitor chose an order."
        {...(error === undefined ? {} : { error })}
      />
    </Part>
  )
}

export function QueryPart({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  if (rule.replace_query === undefined) return null
  return (
    <Part
      icon={Replace}
      title="Search instead for"
      isDisabled={isDisabled}
      onRemove={() => change({ replace_query: undefined })}
    >
      <TextField
        label="Query"
        isLabelHidden
        placeholder="camping stove"
        maxLength={1_000}
        value={rule.replace_query}
        onChange={(text) => change({ replace_query: text })}
        isDisabled={isDisabled}
        error={errorAt('replace_query')}
      />
    </Part>
  )
}

export function WordsPart({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  if (rule.remove_words === undefined) return null
  return (
    <Part
      icon={Scissors}
      title="Leave out the words"
      isDisabled={isDisabled}
      onRemove={() => change({ remove_words: undefined })}
    >
      <TextField
        label="Words, separated by commas"
        isLabelHidden
        placeholder="cheap, best"
        value={rule.remove_words.join(', ')}
        onChange={(text) =>
          change({ remove_words: text.split(',').map((word) => word.trimStart()) })
        }
        isDisabled={isDisabled}
        about="Separated by commas. If nothing is left, everything is found."
        error={errorAt('remove_words')}
      />
    </Part>
  )
}

export function RedirectPart({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  const { redirect } = rule
  if (redirect === undefined) return null
  const setUrl = (url: string): void =>
    change({ redirect: typeof redirect === 'string' ? url : { ...redirect, url } })
  return (
    <Part
      icon={ExternalLink}
      title="Send the visitor to"
      isDisabled={isDisabled}
      onRemove={() => change({ redirect: undefined })}
    >
      <TextField
        label="Address"
        isLabelHidden
        placeholder="/help/returns"
        maxLength={2_000}
        value={redirectUrl(redirect)}
        onChange={setUrl}
        isDisabled={isDisabled}
        about="A path of the shop, or an address with https."
        error={errorAt('redirect')}
      />
    </Part>
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
          ? 'Products with a value that is the query come first'
          : 'Boosts win over products with a value that is the query'
      }
      isDisabled={isDisabled}
      onRemove={() => change({ exact_match_boost: undefined })}
    />
  )
}
