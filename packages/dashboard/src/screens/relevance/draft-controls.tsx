import { Fragment, type ReactNode } from 'react'

/** A number of the draft, with its live value if it differs. */
export function Slider({
  label,
  live,
  value,
  max,
  step,
  onChange,
  onReset,
  isMono = false,
}: {
  readonly label: string
  /** Its live value, when it differs. */
  readonly live: string | undefined
  /** Undefined: the service chooses. */
  readonly value: number | undefined
  readonly max: number
  readonly step: number
  readonly onChange: (value: number) => void
  readonly onReset?: () => void
  readonly isMono?: boolean
}): ReactNode {
  return (
    <div className="relevance-slider">
      {isMono ? (
        <span className="mono relevance-name">
          <FieldName name={label} />
        </span>
      ) : (
        <span className="relevance-name">{label}</span>
      )}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={value === undefined ? 'auto, guessed from its name' : String(value)}
        min={0}
        max={max}
        step={step}
        value={value ?? max / 2}
        onChange={(event) => onChange(Number(event.target.value))}
        className={value === undefined ? 'relevance-range-unset' : ''}
      />
      <span className="number relevance-slider-value">{value === undefined ? 'auto' : value}</span>
      {live !== undefined && (
        <span className="small relevance-live">
          A: {live}
          {onReset !== undefined && (
            <button type="button" className="text-link" onClick={onReset}>
              reset
            </button>
          )}
        </span>
      )}
    </div>
  )
}

/** Another value of the draft. */
export function Row({
  label,
  live,
  children,
  isWide = false,
}: {
  readonly label: string
  readonly live: string | undefined
  readonly children: ReactNode
  readonly isWide?: boolean
}): ReactNode {
  return (
    <div className={isWide ? 'relevance-row relevance-row-wide' : 'relevance-row'}>
      <span>
        {label}
        {live !== undefined && <span className="small relevance-live"> A: {live}</span>}
      </span>
      {children}
    </div>
  )
}

/** Long names of fields break between their words. */
function FieldName({ name }: { readonly name: string }): ReactNode {
  return name.split(/(?<=[_.])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
