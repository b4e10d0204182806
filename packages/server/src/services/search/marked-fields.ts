import type { SearchParameters } from '@aisle/contract'
import { elementType, fieldAnalyzer, type Analyzer, type Field, type Schema } from '@aisle/engine'
import { isNamed, keysOf } from '../../domain/documents/nested-fields.ts'
import { MemberPlaces } from '../../domain/json/member-places.ts'

/** A field that is shown in `highlight` or in `snippets`. */
export interface MarkedField {
  readonly name: string
  /** Number of the member of the document that is or contains the field … */
  readonly place: number
  /** … and the path from there. */
  readonly path: readonly string[]
  /** `"name":` */
  readonly key: string
  readonly analyzer: Analyzer
  /** Whether the search covers it. */
  readonly isSearched: boolean
}

export interface MarkedFields {
  readonly highlight: readonly MarkedField[]
  readonly snippets: readonly MarkedField[]
  /** Places of their values in the document that was read last. */
  readonly places: MemberPlaces
  /** Whether values may contain integers that a plain parse would round. */
  readonly isExact: boolean
}

type MarkRequest = Pick<
  SearchParameters,
  'omit_fields' | 'include_snippets' | 'snippet_fields' | 'full_snippet_fields'
>

interface KeptFields extends MarkedFields {
  readonly schema: Schema
  readonly analyzer: Analyzer
}

/**
 * Cached by the weights of a search, which are one object for most searches: those of the schema.
 */
const keptByWeights = new WeakMap<readonly number[], KeptFields>()

/**
 * Returns the fields that a search may mark; cached for usual searches.
 *
 * @param analyzer of the query
 * @param weights by field
 */
export function markedFields(
  schema: Schema,
  analyzer: Analyzer,
  weights: readonly number[],
  request: MarkRequest,
): MarkedFields {
  const isUsual = request.omit_fields === undefined && request.include_snippets !== true
  const kept = isUsual ? keptByWeights.get(weights) : undefined
  if (kept !== undefined && kept.schema === schema && kept.analyzer === analyzer) return kept
  const made = { schema, analyzer, ...makeFields(schema, analyzer, weights, request) }
  if (isUsual) keptByWeights.set(weights, made)
  return made
}

function makeFields(
  schema: Schema,
  analyzer: Analyzer,
  weights: readonly number[],
  { omit_fields: omitted = [], ...request }: MarkRequest,
): MarkedFields {
  const members: string[] = []
  const markedField = (field: Field): MarkedField => {
    const [member, ...path] = keysOf(field, schema)
    return {
      name: field.name,
      place: members.push(member!) - 1,
      path,
      key: `${JSON.stringify(field.name)}:`,
      analyzer: fieldAnalyzer(analyzer, field),
      isSearched: weights[schema.fields.indexOf(field)]! > 0,
    }
  }
  const shown = schema.fields.filter(({ name }) => !isNamed(name, omitted, schema))
  const searched = shown.filter((field) => weights[schema.fields.indexOf(field)]! > 0)
  const cut = request.include_snippets === true ? snippetFields(shown, request, schema) : []
  const isInt = ({ type }: Field): boolean => elementType(type) === 'int64'
  return {
    highlight: searched.map(markedField),
    snippets: cut.map(markedField),
    places: new MemberPlaces(members),
    isExact: searched.some(isInt) || cut.some(isInt),
  }
}

function snippetFields(
  fields: readonly Field[],
  { snippet_fields: asked = [], full_snippet_fields: whole = [] }: MarkRequest,
  schema: Schema,
): readonly Field[] {
  return fields.filter(({ name, type, searchable }) => {
    // An object means the texts inside of it.
    const isMeant = (names: readonly string[]): boolean =>
      elementType(type) === 'string' ? isNamed(name, names, schema) : names.includes(name)
    return (asked.length === 0 ? searchable : isMeant(asked)) || isMeant(whole)
  })
}
