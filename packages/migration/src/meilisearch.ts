import type { SchemaFieldRequest } from '@aisle/client'
import { FACET_VALUES_MAX, SEARCH_TIMEOUT_MAX_MS } from '@aisle/contract/limits'
import type { Material } from './material.ts'
import { listOf, numberOf, objectOf, textOf, textsOf, type Json } from './json.ts'
import { sourceOf } from './document-writer.ts'
import { MigrationDraft, type Migration } from './migration.ts'
import { orderedWeights } from './ordered-weights.ts'
import { hideFields, leftOutOf } from './hidden-fields.ts'
import {
  MEILISEARCH_FACETING,
  MEILISEARCH_INDEX,
  MEILISEARCH_PAGINATION,
  MEILISEARCH_SETTINGS,
  MEILISEARCH_TYPOS,
} from './known/meilisearch-settings.ts'
import { matchesGlob } from './path-glob.ts'
import { sampleFields } from './sample-fields.ts'
import { SourceError } from './source-error.ts'
import { vectorField, vectorOfEmbeddings } from './vector-field.ts'

export const MEILISEARCH_PARTS = ['settings', 'index']

/**
 * An index of Meilisearch: `GET /indexes/x/settings`, and `GET /indexes/x` for its primary key. It
 * has no types: they are inferred from the first documents.
 *
 * @throws SourceError
 */
export function migrateMeilisearch({ parts, sample }: Material): Migration {
  const draft = new MigrationDraft()
  const settings = objectOf(parts['settings'])
  if (!Array.isArray(settings['searchableAttributes'])) {
    throw new SourceError('The settings have no list "searchableAttributes"')
  }
  draft.idMember = textOf(objectOf(parts['index'])['primaryKey']) ?? primaryKeyIn(sample)
  addFields(draft, settings, sample)
  addRanking(draft, settings)
  const distinct = textOf(settings['distinctAttribute'])
  if (distinct !== undefined) draft.setDistinct('distinctAttribute', distinct, 1)
  const synonyms = Object.entries(objectOf(settings['synonyms'])).flatMap(([root, others]) => {
    const texts = textsOf(others)
    return texts.length === 0 ? [] : [{ root, synonyms: texts }]
  })
  if (synonyms.length > 0) {
    draft.addResource('synonym-sets', 'synonyms', { items: synonyms, default: true })
  }
  draft.setSymbols(textsOf(settings['nonSeparatorTokens']), textsOf(settings['separatorTokens']))
  const stopwords = textsOf(settings['stopWords'])
  if (stopwords.length > 0) {
    draft.addResource('stopword-sets', 'stopwords', { stopwords, default: true })
  }
  noteRest(draft, settings)
  draft.noteSettings(objectOf(parts['index']), MEILISEARCH_INDEX, 'index.')
  return draft.finish()
}

/** Meilisearch uses the first attribute that ends with "id". */
function primaryKeyIn(sample: readonly string[]): string {
  const first = sample[0]
  if (first === undefined) return 'id'
  const found = Object.keys(sourceOf(first)).find((name) => /id$/i.test(name))
  if (found !== undefined) return found
  throw new SourceError(
    'No member of the documents ends with "id": set the primary key in index.json',
  )
}

function addFields(draft: MigrationDraft, settings: Json, sample: readonly string[]): void {
  const searchable = textsOf(settings['searchableAttributes'])
  const filterable = filterableOf(settings)
  const sortable = textsOf(settings['sortableAttributes'])
  const sampled = sampleFields(sample, (path) => path === '_geo' || path === '_vectors')
  for (const [path, field] of sampled) {
    if (path === draft.idMember) continue
    if (field.type === 'object' || field.type === 'object[]' || field.type === 'auto') {
      addObject(draft, path, field, { searchable, filterable })
      continue
    }
    if (path === '_geo') {
      draft.addField({ path, field: { type: 'geopoint' } })
      continue
    }
    if (path === '_geojson') {
      draft.note(`field ${path}`, 'is left out: areas are not supported')
      continue
    }
    if (path === '_vectors') {
      addVectors(draft, sample)
      continue
    }
    // A long list of numbers looks like a vector, but those are in `_vectors`.
    const type = field.type === 'vector' ? 'float[]' : field.type
    const isList = type.endsWith('[]')
    const isText = field.type.startsWith('string')
    draft.addField({
      path,
      field: {
        type,
        ...(isText && (searchable.includes('*') || isNamed(path, searchable))
          ? { searchable: true }
          : {}),
        ...(isNamed(path, filterable) ? { facet: true } : {}),
        ...(isNamed(path, sortable) && !isList ? { sort: true } : {}),
      },
    })
  }
  for (const name of new Set([...searchable, ...filterable, ...sortable])) {
    if (name.startsWith('_') || name === '*' || sampled.has(name)) continue
    if ([...sampled.keys()].some((path) => isNamed(path, [name]))) continue
    if (name !== draft.idMember) {
      draft.note(`field ${name}`, 'is left out: none of the first documents has it')
    }
  }
}

/** Each embedder becomes a field: `_vectors.default`. Its first vector says how long they are. */
function addVectors(draft: MigrationDraft, sample: readonly string[]): void {
  const lengths = new Map<string, number>()
  for (const text of sample) {
    for (const [name, value] of Object.entries(objectOf(sourceOf(text)['_vectors']))) {
      const vector = vectorOfEmbeddings(value)
      if (Array.isArray(vector) && !lengths.has(name)) lengths.set(name, vector.length)
    }
  }
  for (const [name, length] of lengths) {
    const path = `_vectors.${name}`
    const vector = vectorField(length, '')
    if (typeof vector === 'string') draft.note(`field ${path}`, vector)
    else draft.addField({ path, convert: 'embeddings', field: vector.field })
  }
}

/** Since version 1.15, a filter may be an object with patterns of attributes. */
function filterableOf(settings: Json): string[] {
  return listOf(settings['filterableAttributes']).flatMap((one) =>
    typeof one === 'string' ? [one] : textsOf(objectOf(one)['attributePatterns']),
  )
}

/** The name of an object includes all its members, even those that only later documents have. */
function addObject(
  draft: MigrationDraft,
  path: string,
  { type }: SchemaFieldRequest,
  names: { readonly searchable: readonly string[]; readonly filterable: readonly string[] },
): void {
  const isWide = type === 'auto'
  const object = isWide ? path.slice(0, -2) : path
  if (type === 'object' || type === 'object[]') draft.addObject(object, type)
  const [isSearchable, isFilter] = [names.searchable, names.filterable].map((list) =>
    isNamed(object, isWide ? list : list.filter((name) => name !== '*')),
  )
  const roles = {
    ...(isSearchable === true ? { searchable: true } : {}),
    ...(isFilter === true ? { facet: true } : {}),
  }
  if (isWide || Object.keys(roles).length > 0) draft.addPattern(object, roles)
}

/** The name of an object includes its members; `*` matches any text. */
function isNamed(path: string, names: readonly string[]): boolean {
  return names.some((name) => matchesGlob(path, name, '*') || path.startsWith(`${name}.`))
}

/** The default order of criteria of an index, in newer and older versions. */
const USUAL_CRITERIA: readonly string[] = [
  'words,typo,proximity,attribute,sort,exactness',
  'words,typo,proximity,attributeRank,sort,wordPosition,exactness',
]

function addRanking(draft: MigrationDraft, settings: Json): void {
  const searchable = textsOf(settings['searchableAttributes']).filter((name) => name !== '*')
  const ranks = searchable.map((name) => draft.searchedFields((path) => isNamed(path, [name])))
  if (ranks.flat().length > 1) draft.setRanking('field_weights', orderedWeights(ranks))
  const orders = textsOf(settings['rankingRules']).filter((rule) => /:(asc|desc)$/.test(rule))
  draft.setOrder(
    'rankingRules',
    orders.map((rule) => [
      rule.slice(0, rule.lastIndexOf(':')),
      rule.slice(rule.lastIndexOf(':') + 1),
    ]),
  )
  const criteria = textsOf(settings['rankingRules']).filter((rule) => !/:(asc|desc)$/.test(rule))
  if (criteria.length > 0 && !USUAL_CRITERIA.some((usual) => usual === criteria.join())) {
    draft.note(
      'rankingRules',
      'have no equivalent as a whole: results are ranked by relevance, then by the rules with `:asc` or `:desc`',
    )
  }
  const typos = objectOf(settings['typoTolerance'])
  if (typos['enabled'] === false) draft.setRanking('typo_max', 0)
  const sizes = objectOf(typos['minWordSizeForTypos'])
  const [one, two] = [numberOf(sizes['oneTypo']), numberOf(sizes['twoTypos'])]
  if (one !== undefined) draft.setRanking('typo_min_len_1', one)
  if (two !== undefined) draft.setRanking('typo_min_len_2', two)
  // Meilisearch corrects numbers by default; Aisle does not.
  if (typos['disableOnNumbers'] === false) draft.setRanking('typo_numbers', true)
  draft.noteSettings(typos, MEILISEARCH_TYPOS, 'typoTolerance.')
  if (settings['prefixSearch'] === 'disabled') draft.setRanking('prefix_mode', 'off')
  const cutoff = numberOf(settings['searchCutoffMs'])
  if (cutoff !== undefined && cutoff >= 1) {
    draft.setLimited('search_timeout_ms', 'searchCutoffMs', cutoff, SEARCH_TIMEOUT_MAX_MS)
  }
}

function noteRest(draft: MigrationDraft, settings: Json): void {
  draft.noteSettings(settings, MEILISEARCH_SETTINGS)
  const faceting = objectOf(settings['faceting'])
  const max = faceting['maxValuesPerFacet']
  draft.setLimited('max_values', 'faceting.maxValuesPerFacet', max, FACET_VALUES_MAX)
  draft.noteSettings(faceting, MEILISEARCH_FACETING, 'faceting.')
  draft.noteSettings(objectOf(settings['pagination']), MEILISEARCH_PAGINATION, 'pagination.')
  for (const one of listOf(settings['filterableAttributes']).map(objectOf)) {
    const { features } = one
    const { facetSearch, filter } = objectOf(features)
    const isLess = Object.values(objectOf(filter)).includes(false) || facetSearch === false
    if (!isLess) continue
    draft.note(
      `filterableAttributes ${textsOf(one['attributePatterns']).join(', ')}`,
      '`features` has no equivalent: a field with `facet` is filtered and counted in every way',
    )
  }
  const displayed = settings['displayedAttributes']
  if (!Array.isArray(displayed)) return
  const isWild = (path: string): boolean => isNamed(path, textsOf(displayed))
  const shown = draft.paths().filter(isWild)
  // Hidden from every search key there.
  hideFields(draft, 'displayedAttributes', leftOutOf(draft.paths(), shown), {
    isFilter: (path) => isNamed(path, filterableOf(settings)),
    isOrder: (path) =>
      isNamed(path, textsOf(settings['sortableAttributes'])) ||
      textsOf(settings['rankingRules']).some((rule) => rule.startsWith(`${path}:`)),
  })
}
