import { useId, type ReactNode } from 'react'
import {
  FieldError,
  Input,
  Label,
  NumberField as AriaNumberField,
  SearchField as AriaSearchField,
  Text,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  Button as AriaButton,
  type NumberFieldProps as AriaNumberFieldProps,
  type SearchFieldProps as AriaSearchFieldProps,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components'
import { Search, X } from 'lucide-react'
import './field.css'

/** Common to all fields: a name, a purpose, an error. */
export interface FieldTexts {
  readonly label: string
  /** Hides the label where the page already shows the name. */
  readonly isLabelHidden?: boolean
  /** One sentence: what it does, its unit, its range. */
  readonly about?: ReactNode
  readonly error?: string | undefined
}

export interface TextFieldProps
  extends FieldTexts, Omit<AriaTextFieldProps, 'children' | 'className' | 'style'> {
  readonly placeholder?: string
  /** Several lines. */
  readonly lines?: number
  /** Names, keys, code. */
  readonly isMono?: boolean
  /**
   * Values that the browser offers; any other may be typed. Pass an empty list until they are
   * known: with suggestions a field has another role, which must not change while somebody types.
   */
  readonly suggestions?: readonly string[] | undefined
}

export function TextField({
  label,
  about,
  error,
  placeholder,
  lines,
  isMono = false,
  isLabelHidden = false,
  suggestions,
  ...rest
}: TextFieldProps): ReactNode {
  const listId = useId()
  const className = isMono ? 'input mono' : 'input'
  return (
    <AriaTextField
      {...rest}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      className="field"
      {...(error === undefined ? {} : { isInvalid: true })}
    >
      {!isLabelHidden && <Label className="field-label">{label}</Label>}
      {lines === undefined ? (
        <Input
          className={className}
          placeholder={placeholder ?? ''}
          {...(suggestions === undefined ? {} : { list: listId })}
        />
      ) : (
        <AriaTextArea className={className} placeholder={placeholder ?? ''} rows={lines} />
      )}
      {suggestions !== undefined && (
        <datalist id={listId}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      <Below about={about} error={error} />
    </AriaTextField>
  )
}

export interface NumberFieldProps
  extends FieldTexts, Omit<AriaNumberFieldProps, 'children' | 'className' | 'style'> {
  /** Shown after the number: `ms`, `days`. */
  readonly unit?: string
}

export function NumberField({
  label,
  about,
  error,
  unit,
  isLabelHidden = false,
  ...rest
}: NumberFieldProps): ReactNode {
  return (
    <AriaNumberField
      {...rest}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      className="field"
      {...(error === undefined ? {} : { isInvalid: true })}
    >
      {!isLabelHidden && <Label className="field-label">{label}</Label>}
      <span className="input-with-unit">
        <Input className="input number" />
        {unit !== undefined && <span className="muted small">{unit}</span>}
      </span>
      <Below about={about} error={error} />
    </AriaNumberField>
  )
}

export interface SearchFieldProps extends Omit<
  AriaSearchFieldProps,
  'children' | 'className' | 'style'
> {
  /** What is searched: for screen readers, and as the placeholder. */
  readonly label: string
}

/** Narrows a list, or searches a shop. Escape clears it. */
export function SearchField({ label, ...rest }: SearchFieldProps): ReactNode {
  return (
    <AriaSearchField {...rest} aria-label={label} className="search-field">
      <Search size={16} aria-hidden className="search-field-icon" />
      <Input className="input" placeholder={label} />
      <AriaButton className="search-field-clear" aria-label="Clear">
        <X size={14} aria-hidden />
      </AriaButton>
    </AriaSearchField>
  )
}

function Below({ about, error }: Pick<FieldTexts, 'about' | 'error'>): ReactNode {
  return (
    <>
      {about !== undefined && (
        <Text slot="description" className="field-about">
          {about}
        </Text>
      )}
      {error === undefined ? (
        <FieldError className="field-error" />
      ) : (
        <FieldError className="field-error">{error}</FieldError>
      )}
    </>
  )
}
