import { ApiError, type PresetValue, type PutPresetRequest } from '@aisle/contract'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { nestedError } from '../nested-error.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { PRESET, putResource } from '../store/resources.ts'
import { planRequest } from './plan-context.ts'
import { soloPace } from './request-pace.ts'

/**
 * Creates or replaces a preset.
 *
 * @throws ApiError also if a search with these parameters would be rejected now
 */
export function putPreset(
  ports: Pick<ServicePorts, 'writer' | 'resources' | 'backend' | 'clock'>,
  storeId: string,
  name: string,
  { value }: PutPresetRequest,
  ifMatch?: string,
): Promise<string> {
  checkPreset(openView(ports, storeId), value, ports.clock.now())
  return putResource(ports, storeId, PRESET, name, { value }, ifMatch)
}

/** @throws ApiError if a search with these parameters would be rejected now */
export function checkPreset(view: SearchView, value: PresetValue, nowMs: number): void {
  try {
    planRequest(view, { ...value, q: value.q ?? '*' }, soloPace(), nowMs)
  } catch (error) {
    throw error instanceof ApiError ? nestedError('value', error) : error
  }
}
