import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  Checkbox as AriaCheckbox,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Radio,
  RadioGroup,
  Select as AriaSelect,
  SelectValue,
  Switch as AriaSwitch,
  Text,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components'
import type { FieldTexts } from './text-field.tsx'
import './field.css'
import './menu.css'

export interface Option<Value extends string = string> {
  readonly value: Value
  readonly label: string
  readonly about?: string
}

export interface ChoiceProps<Value extends string> extends FieldTexts {
  readonly options: readonly Option<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly isDisabled?: boolean
}

/** One of many, in a list box. */
export function Select<Value extends string>({
  label,
  about,
  error,
  options,
  value,
  onChange,
  isDisabled = false,
  isLabelHidden = false,
}: ChoiceProps<Value>): ReactNode {
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(key) => onChange(String(key) as Value)}
      isDisabled={isDisabled}
      {...(error === undefined ? {} : { isInvalid: true })}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
    >
      {!isLabelHidden && <Label className="field-label">{label}</Label>}
      <AriaButton className="input select-button">
        <SelectValue className="select-value cut" />
        <ChevronDown size={16} aria-hidden />
      </AriaButton>
      {about !== undefined && (
        <Text slot="description" className="field-about">
          {about}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
      <Popover className="menu-popover floating" offset={4}>
        <ListBox className="menu" items={options}>
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className="menu-item">
              {({ isSelected }) => (
                <>
                  <span className="grow">
                    <Text slot="label">{option.label}</Text>
                    {option.about !== undefined && (
                      <Text slot="description" className="menu-about">
                        {option.about}
                      </Text>
                    )}
                  </span>
                  {isSelected && <Check size={16} aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}

/** One of two to five visible options. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
  isDisabled = false,
}: Pick<ChoiceProps<Value>, 'label' | 'options' | 'value' | 'onChange' | 'isDisabled'>): ReactNode {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className="segmented"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        for (const key of keys) onChange(String(key) as Value)
      }}
      isDisabled={isDisabled}
    >
      {options.map((option) => (
        <ToggleButton key={option.value} id={option.value} className="segmented-option">
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

/** One of a few options that need a sentence each. */
export function RadioCards<Value extends string>({
  label,
  options,
  value,
  onChange,
  isDisabled = false,
}: ChoiceProps<Value>): ReactNode {
  return (
    <RadioGroup
      className="field"
      value={value}
      onChange={(next) => onChange(next as Value)}
      isDisabled={isDisabled}
    >
      <Label className="field-label">{label}</Label>
      <div className="stack gap-8">
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className="radio-card">
            <span className="radio-dot" aria-hidden />
            <span>
              <span className="strong">{option.label}</span>
              {option.about !== undefined && <span className="menu-about">{option.about}</span>}
            </span>
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}

interface TickProps {
  readonly children?: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly isDisabled?: boolean
  /** Label for screen readers, if there is no visible one. */
  readonly 'aria-label'?: string
}

export function Checkbox({
  children,
  isIndeterminate = false,
  ...rest
}: TickProps & { readonly isIndeterminate?: boolean }): ReactNode {
  return (
    <AriaCheckbox {...rest} isIndeterminate={isIndeterminate} className="tick">
      <span className="tick-box" aria-hidden>
        {isIndeterminate ? '–' : <Check size={12} strokeWidth={3} />}
      </span>
      {children}
    </AriaCheckbox>
  )
}

/** Takes effect immediately; a checkbox takes effect with its form. */
export function Switch({ children, ...rest }: TickProps): ReactNode {
  return (
    <AriaSwitch {...rest} className="tick">
      <span className="switch-track" aria-hidden />
      {children}
    </AriaSwitch>
  )
}
