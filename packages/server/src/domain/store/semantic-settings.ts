import { ApiError, VECTOR_WEIGHT_DEFAULT, type GivenSettings } from '@aisle/contract'
import { elementType, type Schema } from '@aisle/engine'
import { fieldOrdinal, requireField } from '../documents/field-lookup.ts'
import { snakeCase } from '../documents/title-field.ts'
import { productCard } from './product-card.ts'
import type { Resource, ResourceKind } from './resource.ts'
import { resourceMemo } from './resource-memo.ts'

export type SemanticSettings = NonNullable<GivenSettings['semantic']>

/** Names of fields with words that a shop gives its products. */
const TAG_NAMES = ['tags', 'keywords', 'labels']

/** The semantic settings of a store, with its product card, from the newest version. */
export function semanticSettings(resources: {
  list(kind: ResourceKind): readonly Resource[]
}): Pick<GivenSettings, 'semantic' | 'product_card'> {
  const newest = resources.list('settings').at(-1)
  return newest === undefined ? {} : settingsOf(newest)
}

const settingsOf = resourceMemo(
  ({ json }): GivenSettings => (JSON.parse(json) as { settings: GivenSettings }).settings,
)

/**
 * The fields that a model reads: those that are named, by default title, category and tags. Fields
 * that the schema no longer has are left out.
 */
export function semanticFields(
  { semantic, product_card }: Pick<GivenSettings, 'semantic' | 'product_card'>,
  schema: Schema,
): readonly string[] {
  const { title, category } = productCard(schema, product_card).card
  const tags = schema.fields.find(({ name }) => TAG_NAMES.includes(snakeCase(name)))?.name
  const names = semantic?.fields ?? [title, category, tags]
  const isText = (name: string | null | undefined): name is string => {
    const ordinal = name === null || name === undefined ? undefined : fieldOrdinal(schema, name)
    return ordinal !== undefined && isSearchableText(schema.fields[ordinal]!)
  }
  return [...new Set(names.filter(isText))]
}

/** @throws ApiError invalid_parameter, unknown_field */
export function checkSemantic(
  { semantic }: GivenSettings,
  schema: Schema,
  embedders: { names(): readonly string[]; readonly refusal?: string | undefined },
): void {
  if (semantic === undefined) return
  const refused = (param: string, message: string) =>
    new ApiError('invalid_parameter', `Parameter \`${param}\` ${message}`, { param })
  const names = embedders.names()
  if (!names.includes(semantic.embedder)) {
    const { refusal = 'this installation has no embedders, docs/semantic.md says how to add one' } =
      embedders
    throw refused(
      'semantic.embedder',
      names.length === 0
        ? `cannot be set: ${refusal}`
        : `must be an embedder of this installation (${names.join(', ')}), received ${JSON.stringify(semantic.embedder)}`,
    )
  }
  for (const [i, name] of (semantic.fields ?? []).entries()) {
    const param = `semantic.fields[${i}]`
    const { field } = requireField(schema, name, { param })
    if (isSearchableText(field)) continue
    throw refused(param, `must be a searchable field of strings, \`${name}\` is not`)
  }
}

/** Fills in what has a default. */
export function withSemanticDefaults(given: SemanticSettings | undefined) {
  if (given === undefined) return null
  const { embedder, fields, weight, questions, min_similarity } = given
  return {
    embedder,
    fields: fields ?? null,
    weight: weight ?? VECTOR_WEIGHT_DEFAULT,
    questions: questions ?? true,
    min_similarity: min_similarity ?? null,
  }
}

function isSearchableText({ type, searchable }: Schema['fields'][number]): boolean {
  return searchable && elementType(type) === 'string'
}
