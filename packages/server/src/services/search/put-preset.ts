import { ApiError, type PutPresetRequest } from '@aisle/contract'
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
  try {
    const view = openView(ports, storeId)
    planRequest(view, { ...value, q: value.q ?? '*' }, soloPace(), ports.clock.now())
  } catch (error) {
    throw error instanceof ApiError ? nestedError('value', error) : error
  }
  return putResource(ports, storeId, PRESET, name, { value }, ifMatch)
}
