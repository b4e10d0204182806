import { Braces, Megaphone, TrendingDown, TrendingUp } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { TextField, NumberField } from '../../ui/text-field.tsx'
import { Part, type ConsequenceProps } from './part.tsx'
import { FilterField } from '../../parts/filter-field.tsx'

/** Consequences for the shop's page, which decides what they mean. */

const BANNER_FIELDS = [
  ['title', 'Title', 'Camping week'],
  ['text', 'Text', '20% off all tents'],
  ['link', 'Link', '/camping'],
  ['image', 'Picture', '/banners/camping.webp'],
] as const

export function BannerFields({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { banner } = state.rule
  if (banner === undefined) return null
  const members: Readonly<Record<string, unknown>> =
    typeof banner === 'string' ? { title: banner } : banner
  const others = Object.keys(members).filter((name) => BANNER_FIELDS.every(([own]) => own !== name))
  const set = (name: string, text: string): void => {
    const { [name]: _, ...rest } = members
    state.change({ banner: text === '' && name !== 'title' ? rest : { ...rest, [name]: text } })
  }
  return (
    <Part
      icon={Megaphone}
      title="Show a banner"
      isDisabled={isDisabled}
      onRemove={() => state.change({ banner: undefined })}
    >
      <div className="rules-banner-fields">
        {BANNER_FIELDS.map(([name, label, example]) => (
          <TextField
            key={name}
            label={label}
            placeholder={example}
            value={typeof members[name] === 'string' ? members[name] : ''}
            onChange={(text) => set(name, text)}
            isDisabled={isDisabled}
            error={name === 'title' ? errorAt('banner') : undefined}
          />
        ))}
      </div>
      {others.length > 0 && (
        <p className="small muted">
          It also has {others.map((name) => `“${name}”`).join(', ')}, kept as they are.
        </p>
      )}
    </Part>
  )
}

export function MetadataField({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { metadata } = state.rule
  const [text, setText] = useState<string>()
  if (metadata === undefined) return null
  const shown = text ?? JSON.stringify(metadata, undefined, 2)
  return (
    <Part
      icon={Braces}
      title="Return custom data"
      isDisabled={isDisabled}
      onRemove={() => state.change({ metadata: undefined })}
    >
      <TextField
        label="Data, a JSON object"
        isLabelHidden
        isMono
        lines={4}
        value={shown}
        onChange={(next) => {
          setText(next)
          const object = objectOf(next)
          if (object !== undefined) state.change({ metadata: object })
        }}
        isDisabled={isDisabled}
        about="A JSON object, returned in metadata."
        error={objectOf(shown) === undefined ? 'Not a JSON object' : errorAt('metadata')}
      />
    </Part>
  )
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return value as Record<string, unknown>
  } catch {
    return undefined
  }
}

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
