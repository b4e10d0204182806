import type { StoreSchema } from '@aisle/contract'
import type { Option } from '../ui/choice.tsx'

/** The orders that a store offers: popularity, and each field that can be sorted by, both ways. */
export function orderOptions(
  schema: StoreSchema | undefined,
  current: string,
  none: string,
  popular: string,
): readonly Option[] {
  const fields = (schema?.fields ?? []).filter(({ sort }) => sort)
  const options = [
    { value: '', label: none },
    { value: '_popularity:desc', label: popular },
    ...fields.flatMap(({ name, type }) => {
      const [low, high] =
        type === 'string' ? ['A to Z', 'Z to A'] : ['lowest first', 'highest first']
      return [
        { value: `${name}:asc`, label: `${name}, ${low}` },
        { value: `${name}:desc`, label: `${name}, ${high}` },
      ]
    }),
  ]
  const isKnown = options.some(({ value }) => value === current)
  return isKnown ? options : [...options, { value: current, label: current }]
}
