import { TrendingDown, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { NumberField } from '../../ui/text-field.tsx'
import { FilterField } from './filter-field.tsx'
import { Part, type ConsequenceProps } from './part.tsx'

const WEIGHT_MAX = 1_000

/** Products that are boosted or buried, by a filter each. */
export function Boosts({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  const boosts = rule.boost ?? []
  return boosts.map((boost, i) => {
    const isBurying = boost.weight < 1
    return (
      <Part
        key={i}
        icon={isBurying ? TrendingDown : TrendingUp}
        title={isBurying ? 'Bury products with' : 'Boost products with'}
        isDisabled={isDisabled}
        onRemove={() => change({ boost: boosts.length === 1 ? undefined : boosts.toSpliced(i, 1) })}
      >
        <FilterField
          label={isBurying ? 'Which products are buried' : 'Which products are boosted'}
          value={boost.filter_by}
          onChange={(filter) => change({ boost: boosts.with(i, { ...boost, filter_by: filter }) })}
          isDisabled={isDisabled}
          error={errorAt(`boost[${i}].filter_by`)}
        />
        <div className="rules-words">
          <span className="muted">their score times</span>
          <div className="rules-number">
            <NumberField
              label="Factor on the score"
              isLabelHidden
              minValue={1 / WEIGHT_MAX}
              maxValue={WEIGHT_MAX}
              formatOptions={{ maximumFractionDigits: 3 }}
              value={boost.weight}
              onChange={(weight) =>
                Number.isFinite(weight) && change({ boost: boosts.with(i, { ...boost, weight }) })
              }
              isDisabled={isDisabled}
              error={errorAt(`boost[${i}].weight`)}
            />
          </div>
        </div>
      </Part>
    )
  })
}
