import type { SchemaFieldRequest } from '@aisle/client'
import type { Material } from './material.ts'
import { listIn, listOf, numberOf, objectOf, textOf, textsOf, type Json } from './json.ts'
import { MigrationDraft, type Migration } from './migration.ts'
import {
  TYPESENSE_COLLECTION,
  TYPESENSE_CONDITION,
  TYPESENSE_FIELD,
  TYPESENSE_OVERRIDE,
  TYPESENSE_STOPWORDS,
  TYPESENSE_SYNONYM,
} from './known/typesense-settings.ts'
import { matchesGlob } from './path-glob.ts'
import { sampleFields } from './sample-fields.ts'
import { SourceError } from './source-error.ts'
import { pageMembers } from './page-members.ts'
import { symbolLists } from './symbols.ts'
import { vectorField } from './vector-field.ts'
import { presetOfTypesense, filterOfTypesense, sortOfTypesense } from './typesense-search.ts'

export const TYPESENSE_PARTS = ['collection', 'synonyms', 'overrides', 'presets', 'stopwords']

/**
 * A collection of Typesense: `GET /collections/x`, with its synonyms, overrides (curations), and
 * the presets and stopwords of the server.
 *
 * @throws SourceError
 */
export function migrateTypesense({ parts, sample }: Material): Migration {
  const draft = new MigrationDraft()
  const collection = objectOf(parts['collection'])
  const fields = listOf(collection['fields']).map(objectOf)
  if (fields.length === 0) throw new SourceError('The collection has no list "fields"')
  addFields(draft, fields, sample)
  addSettings(draft, collection)
  addSynonyms(draft, parts['synonyms'])
  for (const one of listIn(parts['stopwords'], 'stopwords').map(objectOf)) {
    const stopwords = textsOf(one['stopwords'])
    draft.noteMembers(`stopwords ${textOf(one['id']) ?? ''}`, one, TYPESENSE_STOPWORDS)
    if (stopwords.length > 0) {
      draft.addResource('stopword-sets', textOf(one['id']) ?? 'stopwords', { stopwords })
    }
  }
  for (const one of listIn(parts['overrides'], 'overrides', 'items').map(objectOf)) {
    addOverride(draft, one)
  }
  for (const one of listIn(parts['presets'], 'presets').map(objectOf)) {
    const name = textOf(one['name']) ?? 'preset'
    if (Array.isArray(objectOf(one['value'])['searches'])) {
      draft.note(`preset ${name}`, 'is left out: it has several searches, a preset here has one')
      continue
    }
    const { value, notes } = presetOfTypesense(objectOf(one['value']), draft)
    for (const note of notes) draft.note(`preset ${name}`, note)
    draft.addResource('presets', name, { value })
  }
  return draft.finish()
}

const PLAIN_TYPES: Readonly<Record<string, SchemaFieldRequest['type']>> = {
  string: 'string',
  'string[]': 'string[]',
  int32: 'int32',
  'int32[]': 'int32[]',
  int64: 'int64',
  'int64[]': 'int64[]',
  float: 'float',
  'float[]': 'float[]',
  bool: 'bool',
  'bool[]': 'bool[]',
  geopoint: 'geopoint',
  'geopoint[]': 'geopoint[]',
}
/** Types without an equivalent, and why. */
const UNKNOWN_TYPES: Readonly<Record<string, string>> = {
  geopolygon: 'areas are not stored',
  image: 'pictures are not searched',
}

/** Characters that only expressions have; a dot also occurs in names of members. */
const EXPRESSION_SIGN = /[\\^$*+?()[\]{}|]/

function addFields(
  draft: MigrationDraft,
  fields: readonly Json[],
  sample: readonly string[],
): void {
  const places = new Set(fields.filter(({ type }) => isOneValue(String(type))).map(nameOf))
  const sampled = sampleFields(sample, (path) => places.has(path))
  addObjects(draft, fields, sampled)
  for (const field of fields) {
    const name = nameOf(field)
    if (name === '' || name === 'id') continue
    const type = textOf(field['type']) ?? ''
    const why = UNKNOWN_TYPES[type]
    if (why !== undefined) {
      draft.note(`field ${name}`, `is left out: ${why}`)
      continue
    }
    draft.noteField(name, field, TYPESENSE_FIELD)
    if ((textOf(field['reference']) ?? '') !== '') {
      draft.note(`field ${name}`, 'refers to another collection: only its value is migrated')
    }
    if ((numberOf(field['num_dim']) ?? 0) > 0 || field['embed'] !== undefined) {
      addVector(draft, name, field)
      continue
    }
    const plain = PLAIN_TYPES[type]
    if (plain !== undefined && !isPattern(name)) {
      const own = typeIn(draft, name, plain, sampled.get(name)?.type)
      const symbols = symbolsOf(draft, field, own)
      const language = languageOf(draft, field, own)
      draft.addField({
        path: name,
        field: { type: own, ...rolesOf(field, own), ...symbols, ...language },
      })
      continue
    }
    // `object`, `auto`, `string*` and patterns: inferred from the documents.
    const pattern = patternOf(name, type)
    if (pattern === undefined) {
      draft.note(`field ${name}`, 'is left out: the only pattern understood is `.*`')
      continue
    }
    const came: string[] = []
    for (const [path, { type: guessed }] of sampled) {
      if (!pattern(path) || draft.fieldOf(path) !== undefined || places.has(path)) continue
      if (isObjectType(guessed)) draft.addObject(path, guessed)
      else if (!path.endsWith('.*')) {
        const declared = type === 'string*' ? textTypeOf(guessed) : plain
        const given = declared === undefined ? guessed : typeIn(draft, path, declared, guessed)
        const symbols = symbolsOf(draft, field, given)
        const language = languageOf(draft, field, given)
        draft.addField({
          path,
          field: { type: given, ...rolesOf(field, given), ...symbols, ...language },
        })
        came.push(path)
      }
    }
    if (isPattern(name)) notePattern(draft, name, came)
    if (!isPattern(name) && type.startsWith('object')) {
      draft.addPattern(name, field['index'] === false ? {} : { searchable: true, facet: true })
    }
  }
}

function addVector(draft: MigrationDraft, name: string, field: Json): void {
  const vector = vectorField(field['num_dim'], textOf(field['vec_dist']) ?? '')
  if (typeof vector === 'string') {
    draft.note(`field ${name}`, vector)
    return
  }
  if (vector.note !== undefined) draft.note(`field ${name}`, vector.note)
  if (field['embed'] !== undefined) {
    draft.note(
      `field ${name}`,
      'has the vectors that a model made there: later documents and queries need an embedder, see docs/semantic.md',
    )
  }
  draft.addField({ path: name, field: vector.field })
}

/** Objects come first: types of their members depend on whether they are lists. */
function addObjects(
  draft: MigrationDraft,
  fields: readonly Json[],
  sampled: ReadonlyMap<string, SchemaFieldRequest>,
): void {
  for (const field of fields) {
    const [name, type] = [nameOf(field), textOf(field['type'])]
    const found = sampled.get(name)?.type
    if (isPattern(name) || name === '' || name === 'id') continue
    if (type === 'object' || type === 'object[]') {
      draft.addObject(name, found === 'object[]' ? found : type)
    }
    for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
      const above = sampled.get(name.slice(0, dot))?.type
      if (isObjectType(above)) draft.addObject(name.slice(0, dot), above)
    }
  }
}

function isObjectType(type: string | undefined): type is 'object' | 'object[]' {
  return type === 'object' || type === 'object[]'
}

/**
 * A field below a list of objects has the type of its values there, the type of one element here.
 */
function typeIn(
  draft: MigrationDraft,
  path: string,
  type: SchemaFieldRequest['type'],
  found: SchemaFieldRequest['type'] | undefined,
): SchemaFieldRequest['type'] {
  let isElement = false
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    isElement ||= draft.isList(path.slice(0, dot))
  }
  if (!isElement || !type.endsWith('[]') || found?.endsWith('[]') === true) return type
  return type.slice(0, -2) as SchemaFieldRequest['type']
}

/** A type that is not flattened, although its value may be an object. */
function isOneValue(type: string): boolean {
  return type.startsWith('geopoint') || UNKNOWN_TYPES[type] !== undefined
}

function nameOf(field: Json): string {
  return textOf(field['name']) ?? ''
}

/** A name that is an expression: `.*`, `price_.*`, `.*_facet`. */
function isPattern(name: string): boolean {
  return EXPRESSION_SIGN.test(name)
}

/** Later documents may have more, which the schema cannot name. */
function notePattern(draft: MigrationDraft, name: string, came: readonly string[]): void {
  const first = came.slice(0, 20).join(', ')
  draft.note(
    `field ${name}`,
    came.length === 0
      ? 'is left out: no other field of the first documents matches'
      : `is a pattern: it became the fields that the first documents have (${first}${came.length > 20 ? ', …' : ''}); add later ones to the schema`,
  )
}

function textTypeOf(found: SchemaFieldRequest['type']): SchemaFieldRequest['type'] {
  return found.endsWith('[]') ? 'string[]' : 'string'
}

/**
 * The paths that a field covers: `.*`, `.*_facet`, or an object and its members. Foreign regular
 * expressions are never run: only `.*` and an escaped dot are understood.
 *
 * @returns undefined for other expressions
 */
function patternOf(name: string, type: string): ((path: string) => boolean) | undefined {
  if (isPattern(name)) {
    const literal = name.replaceAll('.*', '').replaceAll(String.raw`\.`, '')
    if (isPattern(literal)) return undefined
    const glob = name.replaceAll('.*', '*').replaceAll(String.raw`\.`, '.')
    return (path) => path !== 'id' && matchesGlob(path, glob, '*')
  }
  if (type.startsWith('object')) return (path) => path.startsWith(`${name}.`)
  return (path) => path === name
}

/** Typesense can filter by every indexed field; here it requires `facet`. */
function rolesOf(
  { facet, index, sort }: Json,
  type: SchemaFieldRequest['type'],
): Pick<SchemaFieldRequest, 'searchable' | 'facet' | 'sort'> {
  // A place requires no role.
  if (index === false || type.startsWith('geopoint')) return {}
  const isText = type.startsWith('string')
  const maySort = !type.endsWith('[]') && (isText ? sort === true : sort !== false)
  return {
    ...(isText ? { searchable: true } : {}),
    ...(facet === true || !isText ? { facet: true } : {}),
    ...(maySort ? { sort: true } : {}),
  }
}

/** No language, or the default one, means that of the store. */
function languageOf(
  draft: MigrationDraft,
  field: Json,
  type: SchemaFieldRequest['type'],
): Partial<SchemaFieldRequest> {
  const locale = textOf(field['locale']) ?? ''
  if (locale === '') return {}
  if (type.startsWith('string') && /^[a-z]{2}$/.test(locale)) return { language: locale }
  draft.note(
    `field ${nameOf(field)}`,
    `\`locale\` ${locale} is left out: the language is not supported`,
  )
  return {}
}

/** For a field that differs from its collection. */
function symbolsOf(
  draft: MigrationDraft,
  field: Json,
  type: SchemaFieldRequest['type'],
): Partial<SchemaFieldRequest> {
  if (!type.startsWith('string') || field['index'] === false) return {}
  return symbolLists(
    textsOf(field['symbols_to_index']),
    textsOf(field['token_separators']),
    (text, why) => draft.note(`field ${nameOf(field)}`, `symbol "${text}" is left out: it ${why}`),
  )
}

function addSettings(draft: MigrationDraft, collection: Json): void {
  draft.noteSettings(collection, TYPESENSE_COLLECTION)
  const order = textOf(collection['default_sorting_field'])
  if (order !== undefined && order !== '') {
    draft.setOrder('default_sorting_field', [[order, 'desc']])
  }
  draft.setSymbols(textsOf(collection['symbols_to_index']), textsOf(collection['token_separators']))
}

function addSynonyms(draft: MigrationDraft, part: unknown): void {
  // Up to version 29 a list of synonyms; since 30 sets with items.
  const listed = listIn(part, 'synonyms', 'synonym_sets').map(objectOf)
  const sets = listed.some(({ items }) => Array.isArray(items))
    ? listed
    : [{ name: 'synonyms', items: listed }]
  for (const set of sets) {
    const items = listOf(set['items'])
      .map(objectOf)
      .flatMap((item) => {
        const synonyms = textsOf(item['synonyms'])
        const root = textOf(item['root']) ?? ''
        if (synonyms.length === 0) return []
        const id = textOf(item['id'])
        draft.noteMembers(`synonym ${id ?? root}`, item, TYPESENSE_SYNONYM)
        if (root === '' && synonyms.length < 2) return []
        return [{ ...(id === undefined ? {} : { id }), synonyms, ...(root === '' ? {} : { root }) }]
      })
    const name = textOf(set['name']) ?? 'synonyms'
    if (items.length > 0) draft.addResource('synonym-sets', name, { items, default: true })
  }
}

function addOverride(draft: MigrationDraft, override: Json): void {
  const id = textOf(override['id']) ?? 'override'
  const about = `override ${id}`
  const { query, match, filter_by: onFilter, tags } = objectOf(override['rule'])
  if (typeof query === 'string' && query.includes('{')) {
    draft.note(about, 'is left out: a query with a placeholder `{field}` has no equivalent')
    return
  }
  const condition = {
    ...(typeof query === 'string' && query !== '*'
      ? { query, match: match === 'contains' ? 'contains' : 'exact' }
      : query === '*'
        ? { match: 'empty' }
        : {}),
    ...(textsOf(tags).length === 0 ? {} : { contexts: textsOf(tags) }),
    ...(typeof onFilter === 'string'
      ? { filter_by: draft.renamed(filterOfTypesense(onFilter)) }
      : {}),
  }
  const [from, until] = ['effective_from_ts', 'effective_to_ts'].map((member) => {
    const seconds = numberOf(override[member])
    return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString()
  })
  const pin = listOf(override['includes'])
    .map(objectOf)
    .map(({ id: pinned, position }) => ({
      id: String(pinned),
      position: numberOf(position) ?? 1,
    }))
  const hide = listOf(override['excludes'])
    .map(objectOf)
    .map((one) => String(one['id']))
  const filter = textOf(override['filter_by'])
  const order = textOf(override['sort_by'])
  const replaced = textOf(override['replace_query'])
  draft.addResource('rules', id, {
    ...(Object.keys(condition).length === 0 ? {} : { when: [condition] }),
    ...(from === undefined && until === undefined
      ? {}
      : {
          schedule: [
            { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) },
          ],
        }),
    ...(pin.length === 0 ? {} : { pin }),
    ...(hide.length === 0 ? {} : { hide }),
    ...(filter === undefined ? {} : { filter_by: draft.renamed(filterOfTypesense(filter)) }),
    ...(order === undefined ? {} : { sort_by: draft.renamed(sortOfTypesense(order)) }),
    ...(replaced === undefined ? {} : { replace_query: replaced }),
    // Typesense removes the matched words if the rule filters, unless told not to.
    ...(typeof query === 'string' &&
    query !== '*' &&
    filter !== undefined &&
    override['remove_matched_tokens'] !== false
      ? { remove_words: [query] }
      : {}),
    ...pageMembers(objectOf(override['metadata'])),
  })
  draft.noteMembers(about, override, TYPESENSE_OVERRIDE)
  draft.noteMembers(about, objectOf(override['rule']), TYPESENSE_CONDITION)
  if (pin.length > 0 && override['filter_curated_hits'] !== true) {
    draft.note(
      about,
      'pinned documents are shown only if they pass the filters of the request here',
    )
  }
}
