import { ApiError, GROUP_FIELDS_MAX, GROUP_LIMIT_DEFAULT } from '@aisle/contract'
import type { PlannedGroups, Schema } from '@aisle/engine'
import { fieldOrdinal, isGroupable, requireGroupable } from '../documents/field-lookup.ts'

/** The parameters that group documents. */
export interface GroupsRequest {
  readonly group_by?: string | readonly string[] | undefined
  readonly group_limit?: number | undefined
  readonly group_missing?: 'together' | 'apart' | undefined
  readonly facet_count?: 'documents' | 'groups' | undefined
}

/** A store's own groups (the setting `distinct`). */
export interface Distinct {
  readonly field: string
  readonly limit?: number | undefined
}

/** The form of the hits: by group, or flat. */
export type GroupAnswer = 'grouped' | 'flat'

export interface GroupsPlan {
  readonly groups: PlannedGroups
  readonly answer: GroupAnswer
}

/**
 * Returns the groups of a request, or else those of its store. An empty `group_by` means none.
 *
 * @param distinct of the store; ignored if a later schema has made it invalid
 * @returns undefined if documents are not grouped
 * @throws ApiError unknown_field, invalid_parameter
 */
export function planGroups(
  {
    group_by: groupBy,
    group_limit: limit,
    group_missing: missing = 'together',
    facet_count: facetCount = 'documents',
  }: GroupsRequest,
  schema: Schema,
  distinct?: Distinct,
): GroupsPlan | undefined {
  if (groupBy === undefined) {
    const ordinal = distinct === undefined ? undefined : groupableOrdinal(schema, distinct.field)
    if (ordinal === undefined) return undefined
    // Products without the field are not variants of each other.
    const limit = distinct!.limit ?? 1
    const groups = { fields: [ordinal], limit, missing: 'apart', facetCount } as const
    return { groups, answer: 'flat' }
  }
  const fields = fieldsOf(groupBy).map(({ name, param }) => requireGroupable(schema, name, param))
  if (fields.length === 0) return undefined
  if (fields.length > GROUP_FIELDS_MAX) {
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`group_by\` names ${fields.length} fields, at most ${GROUP_FIELDS_MAX} are allowed`,
      { param: 'group_by' },
    )
  }
  const groups = {
    fields: [...new Set(fields)],
    limit: limit ?? GROUP_LIMIT_DEFAULT,
    missing,
    facetCount,
  }
  return { groups, answer: 'grouped' }
}

function groupableOrdinal(schema: Schema, name: string): number | undefined {
  const ordinal = fieldOrdinal(schema, name)
  return ordinal !== undefined && isGroupable(schema.fields[ordinal]!) ? ordinal : undefined
}

/** Returns the names of a comma list or an array, without blank ones. */
function fieldsOf(groupBy: string | readonly string[]): { name: string; param: string }[] {
  const names = typeof groupBy === 'string' ? groupBy.split(',') : groupBy
  return names
    .map((name, i) => ({
      name: name.trim(),
      param: typeof groupBy === 'string' ? 'group_by' : `group_by[${i}]`,
    }))
    .filter(({ name }) => name !== '')
}
