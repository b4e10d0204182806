import type { SchemaFieldRequest } from '@aisle/client'
import { listOf, objectOf, textOf, textsOf } from './json.ts'
import type { Json } from './json.ts'
import type { Material } from './material.ts'
import { MigrationDraft, type Conversion, type Migration } from './migration.ts'
import { sampleFields } from './sample-fields.ts'
import { synonymItems } from './solr-synonyms.ts'
import { SourceError } from './source-error.ts'

export const OPENSEARCH_PARTS = ['index']

/** Objects in objects of a mapping, at most. */
const DEPTH_MAX = 16

/**
 * An index of OpenSearch or Elasticsearch: `GET /x`, with its mappings and settings. Lists are not
 * declared there: whether a field is one is learnt from the first documents.
 *
 * @throws SourceError
 */
export function migrateOpenSearch({ parts, sample }: Material): Migration {
  const answer = objectOf(parts['index'])
  // By the name of the index; the name may be that of an alias.
  const index = answer['mappings'] === undefined ? objectOf(Object.values(answer)[0]) : answer
  const properties = objectOf(objectOf(index['mappings'])['properties'])
  if (Object.keys(properties).length === 0) {
    throw new SourceError('The mapping has no fields ("mappings.properties")')
  }
  const draft = new MigrationDraft()
  draft.idMember = '_id'
  const places = new Set<string>()
  const found = [...propertiesIn(properties, '', 0)]
  const objects = found.filter(({ property }) => isObjectMapping(property))
  for (const { path, property } of found) {
    if (/^geo_|^(xy_)?(point|shape)$/.test(textOf(property['type']) ?? '')) places.add(path)
  }
  const sampled = sampleFields(sample, (path) => places.has(path))
  for (const { path, property } of objects) addObject(draft, path, property, sampled.get(path))
  for (const { path, property } of found) {
    if (!isObjectMapping(property)) addField(draft, path, property, sampled.get(path))
  }
  const keywords = found
    .filter(({ property }) => property['type'] === 'keyword')
    .map(({ path }) => draft.nameOf(path))
  if (keywords.length > 0) {
    draft.note(
      'keywords',
      `have no words to search: for queries to find them, set \`searchable: true\` in schema.yaml (${keywords.join(', ')})`,
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

/** Types whose documents have objects with members of any names. */
const OPEN_OBJECTS = ['flattened', 'flat_object']

function isObjectMapping(property: Json): boolean {
  const type = textOf(property['type']) ?? 'object'
  return type === 'object' || type === 'nested' || OPEN_OBJECTS.includes(type)
}

/** `nested` is a list of objects; `object` may be one, which only its documents say. */
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
const TEXTS = ['text', 'match_only_text', 'search_as_you_type']

function addField(
  draft: MigrationDraft,
  path: string,
  property: Json,
  sampled: SchemaFieldRequest | undefined,
): void {
  const declared = textOf(property['type']) ?? 'object'
  if (declared === 'geo_point') {
    // A list of numbers is one place.
    const type = /^(string|geopoint)\[\]$/.test(sampled?.type ?? '') ? 'geopoint[]' : 'geopoint'
    draft.addField({ path, convert: 'lon_lat', field: { type } })
    return
  }
  const kind = KINDS[declared]
  if (kind === undefined) {
    draft.note(`field ${path}`, `is left out: the type \`${declared}\` has no equivalent`)
    return
  }
  const isList = sampled?.type.endsWith('[]') ?? false
  const isText = TEXTS.includes(declared)
  const others = Object.values(objectOf(property['fields'])).map((one) => objectOf(one)['type'])
  const isKeyword = declared === 'keyword' || others.includes('keyword')
  const isNumber = kind.type !== 'string'
  const isIndexed = property['index'] !== false
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
    },
  })
}

/** Synonyms and stop words of the filters of the analysis. */
function addAnalysis(draft: MigrationDraft, index: Json): void {
  const settings = objectOf(index['settings'])
  const analysis = objectOf(objectOf(settings['index'] ?? settings)['analysis'])
  for (const [name, value] of Object.entries(objectOf(analysis['filter']))) {
    const filter = objectOf(value)
    const type = textOf(filter['type'])
    if (type === 'synonym' || type === 'synonym_graph') {
      const { items, unread } = synonymItems(textsOf(filter['synonyms']))
      if (items.length > 0) draft.addResource('synonym-sets', name, { items, default: true })
      for (const line of unread) draft.note(`synonyms ${name}`, `\`${line}\` is left out`)
      if (textOf(filter['synonyms_path']) !== undefined) {
        draft.note(`synonyms ${name}`, 'are in a file of the cluster: put them into a synonym set')
      }
    } else if (type === 'stop') {
      const stopwords = textsOf(listOf(filter['stopwords'])).filter((one) => !one.startsWith('_'))
      if (stopwords.length > 0)
        draft.addResource('stopword-sets', name, { stopwords, default: true })
    } else if (type === 'stemmer' || type === 'snowball') {
      const language = LANGUAGES[(textOf(filter['language']) ?? '').toLowerCase()]
      if (language !== undefined) draft.setSetting('language', language)
    }
  }
}

/** Stemmers by their names in Lucene. */
const LANGUAGES: Readonly<Record<string, string>> = {
  danish: 'da',
  dutch: 'nl',
  english: 'en',
  light_english: 'en',
  finnish: 'fi',
  french: 'fr',
  light_french: 'fr',
  german: 'de',
  german2: 'de',
  light_german: 'de',
  italian: 'it',
  light_italian: 'it',
  norwegian: 'nb',
  portuguese: 'pt',
  light_portuguese: 'pt',
  spanish: 'es',
  light_spanish: 'es',
  swedish: 'sv',
}
