import type { Static } from 'typebox'
import { Type } from './type.ts'
import { SearchParameters } from './search.ts'

const { preset_name: _, ...parameters } = SearchParameters.properties

/** Search parameters, all optional. A preset cannot refer to another preset. */
export const PresetValue = Type.Partial(Type.Object(parameters), {
  $id: 'PresetValue',
  additionalProperties: false,
  description: 'Search parameters, except `preset_name`.',
})
export type PresetValue = Static<typeof PresetValue>

export const PutPresetRequest = Type.Object(
  { value: PresetValue },
  { $id: 'PutPresetRequest', additionalProperties: false },
)
export type PutPresetRequest = Static<typeof PutPresetRequest>

export const Preset = Type.Object(
  { name: Type.String({ description: 'Name of the preset.' }), value: PresetValue },
  { $id: 'Preset' },
)
export type Preset = Static<typeof Preset>

export const PresetList = Type.Object({ presets: Type.Array(Preset) }, { $id: 'PresetList' })
