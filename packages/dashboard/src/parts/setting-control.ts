import { TYPO_MIN_LEN_MAX_CHARS } from '@aisle/contract/limits'

/** One setting as a control. */
export interface SettingField {
  /** `cache.ttl_seconds`, as in the API. */
  readonly path: string
  readonly label: string
  /** One sentence: what it does. */
  readonly about: string
  /** The behaviour when nothing is set, in words. */
  readonly fallback: string
  readonly control: SettingControl
}

export type SettingControl =
  | { readonly kind: 'language' }
  /** The name of a field of the schema. */
  | { readonly kind: 'field' }
  /** One of the embedders of the installation, or none. */
  | { readonly kind: 'embedder' }
  /** One of a few options, or the default. */
  | { readonly kind: 'options'; readonly options: readonly (readonly [unknown, string])[] }
  | { readonly kind: 'choice'; readonly options: readonly ChoiceOption[] }
  /** A share from 0, which is off, and the fields that it is about. */
  | { readonly kind: 'taste'; readonly max: number }
  /** Texts, one a line. */
  | { readonly kind: 'lines'; readonly placeholder: string }
  | {
      readonly kind: 'number'
      readonly min: number
      readonly max: number
      readonly step?: number
      readonly unit?: string
    }

interface ChoiceOption {
  readonly value: string
  readonly label: string
  readonly about: string
}

export interface SettingSection {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly fields: readonly SettingField[]
}

export const YES_OR_NO: SettingControl = {
  kind: 'options',
  options: [
    [true, 'Yes'],
    [false, 'No'],
  ],
}
export const WORD_LENGTH: SettingControl = {
  kind: 'number',
  min: 1,
  max: TYPO_MIN_LEN_MAX_CHARS,
  unit: 'characters',
}
