import type { SchemaFieldRequest } from '@aisle/client'
import { objectOf, textOf, textsOf, type Json } from './json.ts'
import type { Material } from './material.ts'
import type { KnownSettings } from './known/fate.ts'
import {
  OPENSEARCH_FIELD,
  OPENSEARCH_INDEX,
  OPENSEARCH_MAPPING,
  OPENSEARCH_VECTOR,
} from './known/opensearch-settings.ts'
import { MigrationDraft, type Conversion, type Migration } from './migration.ts'
import { addAnalysis, analyzerLanguages } from './opensearch-analysis.ts'
import { sampleFields } from './sample-fields.ts'
import { SourceError } from './source-error.ts'
import { vectorOfMapping } from './vector-field.ts'

export const OPENSEARCH_PARTS = ['index']

/** Maximum depth of objects in a mapping. */
const DEPTH_MAX = 16

/**
 * An index of OpenSearch or Elasticsearch: `GET /x`, with its mappings and settings. Mappings do
 * not declare lists: they are inferred from the first documents.
 *
 * @throws SourceError
 */
export function migrateOpenSearch({ parts, sample }: Material): Migration {
  const answer = objectOf(parts['index'])
  // The response is keyed by index name, and the requested name may be an alias.
  const index = answer['mappings'] === undefined ? objectOf(Object.values(answer)[0]) : answer
  const mappings = objectOf(index['mappings'])
  const properties = objectOf(mappings['properties'])
  if (Object.keys(properties).length === 0) {
    throw new SourceError('The mapping has no fields ("mappings.properties")')
  }
  const source = objectOf(mappings['_source'])
  if (source['enabled'] === false) {
    throw new SourceError('The index keeps no documents (`_source.enabled` is false)')
  }
  const draft = new MigrationDraft()
  draft.idMember = '_id'
  draft.noteSettings(index, OPENSEARCH_INDEX)
  draft.noteSettings(mappings, OPENSEARCH_MAPPING, 'mappings.')
  for (const member of ['excludes', 'includes']) {
    const paths = textsOf(source[member])
    if (paths.length === 0) continue
    draft.note(
      `mappings._source.${member}`,
      `is ${paths.join(', ')}: members that are not stored are missing from the exported documents`,
    )
  }
  const languages = analyzerLanguages(index)
  const places = new Set<string>()
  const found = [...propertiesIn(properties, '', 0)]
  const objects = found.filter(({ property }) => isObjectMapping(property))
  for (const { path, property } of found) {
    if (/^geo_|^(xy_)?(point|shape)$/.test(textOf(property['type']) ?? '')) places.add(path)
  }
  const sampled = sampleFields(sample, (path) => places.has(path))
  for (const { path, property } of objects) addObject(draft, path, property, sampled.get(path))
  for (const { path, property } of found) {
    const declared = textOf(property['type']) ?? 'object'
    const isCarried =
      isObjectMapping(property) || declared === 'geo_point' || Object.hasOwn(KINDS, declared)
    if (isCarried) draft.noteField(path, property, OPENSEARCH_FIELD)
    if (isObjectMapping(property)) continue
    addField(draft, path, property, { sampled: sampled.get(path), languages })
  }
  const keywords = found
    .filter(({ property }) => property['type'] === 'keyword')
    .map(({ path }) => draft.nameOf(path))
  if (keywords.length > 0) {
    draft.note(
      'keywords',
      `are not searched as text: to make them searchable, set \`searchable: true\` in schema.yaml (${keywords.join(', ')})`,
    )
  }
  addAnalysis(draft, index)
  return draft.finish()
}

interface FoundProperty {
  readonly path: string
  readonly property: Json
}

function* propertiesIn(properties: Json, prefix: string, depth: number): Generator<FoundProperty> {
  if (depth > DEPTH_MAX) return
  for (const [name, value] of Object.entries(properties)) {
    const property = objectOf(value)
    const path = prefix === '' ? name : `${prefix}.${name}`
    yield { path, property }
    yield* propertiesIn(objectOf(property['properties']), path, depth + 1)
  }
}

/** Types whose documents contain objects with any members. */
const OPEN_OBJECTS = ['flattened', 'flat_object']

function isObjectMapping(property: Json): boolean {
  const type = textOf(property['type']) ?? 'object'
  return type === 'object' || type === 'nested' || OPEN_OBJECTS.includes(type)
}

/** `nested` is a list of objects; `object` may be one, which only documents show. */
function addObject(
  draft: MigrationDraft,
  path: string,
  property: Json,
  sampled: SchemaFieldRequest | undefined,
): void {
  const isList = property['type'] === 'nested' || sampled?.type === 'object[]'
  draft.addObject(path, isList ? 'object[]' : 'object')
  const isOpen = OPEN_OBJECTS.includes(textOf(property['type']) ?? '')
  if (isOpen) draft.addPattern(path, { facet: true })
}

interface Kind {
  readonly type: 'string' | 'int32' | 'int64' | 'float' | 'bool' | 'date'
  readonly convert?: Conversion
}

const KINDS: Readonly<Record<string, Kind>> = {
  text: { type: 'string' },
  match_only_text: { type: 'string' },
  search_as_you_type: { type: 'string' },
  keyword: { type: 'string' },
  constant_keyword: { type: 'string' },
  wildcard: { type: 'string' },
  ip: { type: 'string' },
  version: { type: 'string' },
  byte: { type: 'int32' },
  short: { type: 'int32' },
  integer: { type: 'int32' },
  long: { type: 'int64' },
  half_float: { type: 'float' },
  float: { type: 'float' },
  double: { type: 'float' },
  scaled_float: { type: 'float' },
  boolean: { type: 'bool' },
  date: { type: 'date', convert: 'milliseconds' },
  date_nanos: { type: 'date', convert: 'milliseconds' },
}
const VECTORS = ['knn_vector', 'dense_vector']
const TEXTS = ['text', 'match_only_text', 'search_as_you_type']
const PLAIN_ANALYZERS = ['default', 'standard', 'simple']
const FOREIGN_ANALYZER: KnownSettings = {
  analyzer: {
    note: 'has no equivalent: tokens and stems follow the language of the store or field',
  },
}

/** Sub-fields inherit the analyzer of their field. */
function withoutOwn({ analyzer: _, ...others }: Json): Json {
  return others
}

interface FieldContext {
  readonly sampled: SchemaFieldRequest | undefined
  /** Languages by analyzer. */
  readonly languages: ReadonlyMap<string, string>
}

function addField(
  draft: MigrationDraft,
  path: string,
  property: Json,
  { sampled, languages }: FieldContext,
): void {
  const declared = textOf(property['type']) ?? 'object'
  if (declared === 'geo_point') {
    // A list of two numbers is one place.
    const type = /^(string|geopoint)\[\]$/.test(sampled?.type ?? '') ? 'geopoint[]' : 'geopoint'
    draft.addField({ path, convert: 'lon_lat', field: { type } })
    return
  }
  if (VECTORS.includes(declared)) {
    draft.noteField(path, property, OPENSEARCH_VECTOR)
    const vector = vectorOfMapping(property)
    const note = typeof vector === 'string' ? vector : vector.note
    if (note !== undefined) draft.note(`field ${path}`, note)
    if (typeof vector !== 'string') draft.addField({ path, field: vector.field })
    return
  }
  const kind = KINDS[declared]
  if (kind === undefined) {
    draft.note(`field ${path}`, `is left out: the type \`${declared}\` has no equivalent`)
    return
  }
  // A long list of numbers looks like a vector.
  const isList = sampled?.type.endsWith('[]') === true || sampled?.type === 'vector'
  const isText = TEXTS.includes(declared)
  const others = Object.values(objectOf(property['fields'])).map((one) => objectOf(one)['type'])
  const isKeyword = declared === 'keyword' || others.includes('keyword')
  const isNumber = kind.type !== 'string'
  const isIndexed = property['index'] !== false
  for (const [name, one] of Object.entries(objectOf(property['fields']))) {
    const type = textOf(objectOf(one)['type']) ?? ''
    draft.noteField(`${path}.${name}`, withoutOwn(objectOf(one)), OPENSEARCH_FIELD)
    if (TEXTS.includes(type) || type === 'keyword') continue
    draft.note(`field ${path}.${name}`, `is left out: the type \`${type}\` has no equivalent`)
  }
  const analyzer = textOf(property['analyzer'])
  const language = isText ? languages.get(analyzer ?? 'default') : undefined
  if (analyzer !== undefined && language === undefined && !PLAIN_ANALYZERS.includes(analyzer)) {
    draft.noteField(path, { analyzer }, FOREIGN_ANALYZER)
  }
  draft.addField({
    path,
    convert: kind.convert,
    field: {
      type: isList ? `${kind.type}[]` : kind.type,
      ...(isIndexed && (isText || others.some((one) => TEXTS.includes(String(one))))
        ? { searchable: true }
        : {}),
      ...(isIndexed && (isKeyword || isNumber || kind.type === 'string') && !(isText && !isKeyword)
        ? { facet: true }
        : {}),
      ...(isIndexed && !isList && (isNumber || isKeyword) ? { sort: true } : {}),
      ...(language === undefined || language === languages.get('default') ? {} : { language }),
    },
  })
}
