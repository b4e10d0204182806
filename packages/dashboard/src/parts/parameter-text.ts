import {
  controlOf,
  withStoreDefault,
  type Control,
  type ParameterName,
  type StoreDefaults,
} from './parameters.ts'

/** Parameters that somebody set, besides those of the page itself. */
export type GivenParameters = Partial<Record<ParameterName, unknown>>

/** A parameter as text in the address, as in the URL of a search. */
export function parameterText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0 && value.every(isPlainName)) return value.join(',')
  return JSON.stringify(value)
}

/** @returns undefined if it is not a value of this control */
export function parameterValue(control: Control, text: string): unknown {
  switch (control.kind) {
    case 'flag':
    case 'maybe':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'number': {
      const value = Number(text)
      return text.trim() !== '' && Number.isFinite(value) ? value : undefined
    }
    case 'words':
    case 'fields':
    case 'sets':
      return listOf(text)
    case 'weights':
    case 'json':
      return objectOf(text)
    case 'choice':
    case 'text':
    case 'preset':
      return text === '' ? undefined : text
  }
}

/** Whether a value equals the default, which is the store's where it has one. */
export function isInitial(
  name: string,
  value: unknown,
  defaults: StoreDefaults | undefined,
): boolean {
  const general = controlOf(name)
  if (value === undefined || value === '') return true
  if (general === undefined) return false
  const control = withStoreDefault(name, general, defaults)
  return 'initial' in control && control.initial === value
}

function listOf(text: string): readonly string[] | undefined {
  if (text.startsWith('[')) {
    const list = parsed(text)
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined
  }
  const list = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return list.length === 0 ? undefined : list
}

function objectOf(text: string): object | undefined {
  const value = parsed(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isPlainName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.trim() === value && !/^\[|,/.test(value)
}
