import { ApiError, type PresetValue, type TObject } from '@aisle/contract'
import { parseExact } from '../../domain/json/json-scan.ts'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'

/**
 * Parameters completed with those of the preset that they name. A request's own parameters win,
 * unless they are `null`.
 *
 * @param parameters as sent, unchecked
 * @param known the parameters of this kind of search; other parameters of the preset are ignored
 * @throws ApiError unknown_preset
 */
export function withPreset(
  resources: StoreResources,
  parameters: unknown,
  known: TObject,
): unknown {
  if (typeof parameters !== 'object' || parameters === null) return parameters
  if (!Object.hasOwn(parameters, 'preset_name')) return parameters
  const { preset_name: name } = parameters as { readonly preset_name: unknown }
  if (typeof name !== 'string') return parameters
  const preset = resources.get('preset', name)
  if (preset === undefined) {
    throw new ApiError(
      'unknown_preset',
      `There is no preset \`${name.slice(0, 150).toWellFormed()}\``,
      {
        param: 'preset_name',
      },
    )
  }
  const value = Object.entries(presetValue(preset)).filter(([key]) =>
    Object.hasOwn(known.properties, key),
  )
  // `null` counts as absent and leaves the preset's value in place.
  const own = Object.entries(parameters).filter(([, one]) => one !== null)
  return Object.fromEntries([...value, ...own])
}

export const presetValue = resourceMemo(
  ({ json }) => (parseExact(json) as { value: PresetValue }).value,
)
