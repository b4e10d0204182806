import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import { currentSettings } from './store-settings.ts'

const NONE: readonly string[] = []

/** The setting `omit_fields`: what nobody who searches the store is shown. */
export function omittedFields(resources: StoreResources): readonly string[] {
  return currentSettings(resources).settings.omit_fields ?? NONE
}

/** A request that leaves out what its store does, besides what it leaves out itself. */
export function withOmitted<T extends { readonly omit_fields?: string[] | undefined }>(
  resources: StoreResources,
  request: T,
): T {
  const omitted = omittedFields(resources)
  if (omitted.length === 0) return request
  return { ...request, omit_fields: [...new Set([...(request.omit_fields ?? []), ...omitted])] }
}
