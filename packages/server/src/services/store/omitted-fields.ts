import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import { currentSettings } from './store-settings.ts'

const NONE: readonly string[] = []

/** The setting `omit_fields`: fields that are never shown in searches of the store. */
export function omittedFields(resources: StoreResources): readonly string[] {
  return currentSettings(resources).settings.omit_fields ?? NONE
}

/** Adds the omitted fields of the store to those of a request. */
export function withOmitted<T extends { readonly omit_fields?: string[] | undefined }>(
  resources: StoreResources,
  request: T,
): T {
  const omitted = omittedFields(resources)
  if (omitted.length === 0) return request
  return { ...request, omit_fields: [...new Set([...(request.omit_fields ?? []), ...omitted])] }
}
