import { ApiError, type TObject, type TokenScope } from '@aisle/contract'

/** The query itself is always allowed. */
const ALWAYS_ALLOWED = ['q', 'query']

/**
 * Returns the parameters of a request that a scoped token allows, with its preset.
 *
 * @param parameters as sent, unchecked, names in their usual spelling
 * @param known what this kind of request takes; others are ignored anyway
 * @throws ApiError forbidden, with the parameter
 */
export function tokenParameters(
  scope: TokenScope | undefined,
  parameters: unknown,
  known: TObject,
): unknown {
  if (scope === undefined || typeof parameters !== 'object' || parameters === null) {
    return parameters
  }
  const { preset_name: preset, parameters: allowed, filter_by: filter, personalize } = scope
  const sent = parameters as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(sent)) {
    if (value === null || value === undefined || !Object.hasOwn(known.properties, name)) continue
    const isOwnPreset = name === 'preset_name' && value === preset
    // Its numbers come from all documents.
    const isHidden = name === 'explain' && filter !== undefined && value !== false
    const isAllowed = allowed?.includes(name) ?? true
    const isRefused = name === 'personalize' && value !== false && personalize === false
    if (isOwnPreset || ALWAYS_ALLOWED.includes(name)) continue
    if (isHidden || isRefused || !isAllowed || (name === 'preset_name' && preset !== undefined)) {
      throw new ApiError('forbidden', `The token does not allow the parameter \`${name}\``, {
        param: name,
      })
    }
  }
  const takes = (name: string): boolean => Object.hasOwn(known.properties, name)
  const isPreset = preset !== undefined && takes('preset_name')
  const isImpersonal = personalize === false && takes('personalize')
  if (!isPreset && !isImpersonal) return parameters
  return {
    ...sent,
    ...(isPreset ? { preset_name: preset } : {}),
    ...(isImpersonal ? { personalize: false } : {}),
  }
}
