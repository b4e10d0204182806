import type { SchemaFieldRequest } from '@aisle/client'
import type { Material } from './material.ts'
import { listOf, numberOf, objectOf, textOf, textsOf } from './json.ts'
import type { Json } from './json.ts'
import { sourceOf } from './document-writer.ts'
import { MigrationDraft, type Migration } from './migration.ts'
import { orderedWeights } from './ordered-weights.ts'
import { sampleFields } from './sample-fields.ts'
import { SourceError } from './source-error.ts'

export const MEILISEARCH_PARTS = ['settings', 'index']

/**
 * An index of Meilisearch: `GET /indexes/x/settings`, and `GET /indexes/x` for its primary key.
 * It has no types: those are learnt from the first documents.
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
  return draft.finish()
}

/** Meilisearch takes the first attribute that ends with "id". */
function primaryKeyIn(sample: readonly string[]): string {
  const first = sample[0]
  if (first === undefined) return 'id'
  return Object.keys(sourceOf(first)).find((name) => /id$/i.test(name)) ?? 'id'
}

function addFields(draft: MigrationDraft, settings: Json, sample: readonly string[]): void {
  const searchable = textsOf(settings['searchableAttributes'])
  // A filter may be an object with patterns of attributes, from version 1.15 on.
  const filterable = listOf(settings['filterableAttributes']).flatMap((one) =>
    typeof one === 'string' ? [one] : textsOf(objectOf(one)['attributePatterns']),
  )
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
    if (path === '_geojson' || path === '_vectors') {
      draft.note(`field ${path}`, 'is left out: areas and vectors are not supported')
      continue
    }
    const isList = field.type.endsWith('[]')
    const isText = field.type.startsWith('string')
    draft.addField({
      path,
      field: {
        type: field.type,
        ...(isText && (searchable.includes('*') || isNamed(path, searchable))
          ? { searchable: true }
          : {}),
        ...(isNamed(path, filterable) ? { facet: true } : {}),
        ...(isNamed(path, sortable) && !isList ? { sort: true } : {}),
      },
    })
  }
  for (const name of [...filterable, ...sortable]) {
    if (name.startsWith('_') || name.includes('*') || sampled.has(name)) continue
    if ([...sampled.keys()].some((path) => isNamed(path, [name]))) continue
    if (name !== draft.idMember) {
      draft.note(`field ${name}`, 'is left out: none of the first documents has it')
    }
  }
}

/** Named as a whole, all that is in it is meant, also what only later documents have. */
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

/** Naming an object names what is in it. */
function isNamed(path: string, names: readonly string[]): boolean {
  return names.some((name) => name === '*' || name === path || path.startsWith(`${name}.`))
}

function addRanking(draft: MigrationDraft, settings: Json): void {
  const searchable = textsOf(settings['searchableAttributes']).filter((name) => name !== '*')
  const names = searchable.flatMap((name) => draft.fieldOf(name)?.name ?? [])
  if (names.length > 1) {
    draft.setRanking('field_weights', orderedWeights(names.map((name) => [name])))
  }
  const orders = textsOf(settings['rankingRules'])
    .filter((rule) => /:(asc|desc)$/.test(rule))
    .map((rule) => draft.renamed(rule))
  if (orders.length > 0) draft.setRanking('sort_by', ['_text_match:desc', ...orders].join(','))
  const typos = objectOf(settings['typoTolerance'])
  if (typos['enabled'] === false) draft.setRanking('typo_max', 0)
  const sizes = objectOf(typos['minWordSizeForTypos'])
  const [one, two] = [numberOf(sizes['oneTypo']), numberOf(sizes['twoTypos'])]
  if (one !== undefined) draft.setRanking('typo_min_len_1', one)
  if (two !== undefined) draft.setRanking('typo_min_len_2', two)
  for (const member of ['disableOnWords', 'disableOnAttributes']) {
    if (listOf(typos[member]).length > 0) {
      draft.note(`typoTolerance.${member}`, 'has no equivalent: typos are set for all words')
    }
  }
  if (settings['prefixSearch'] === 'disabled') draft.setRanking('prefix_mode', 'off')
  const cutoff = numberOf(settings['searchCutoffMs'])
  if (cutoff !== undefined) {
    draft.note('searchCutoffMs', `is a parameter of a search: search_timeout_ms=${cutoff}`)
  }
}

/** Settings without an equivalent, by what they are when nothing was set. */
const NO_EQUIVALENT: Readonly<Record<string, string>> = {
  dictionary: 'has no equivalent: words are divided by the rules of docs/ranking.md',
  embedders: 'has no equivalent: search is by words',
  localizedAttributes: 'has no equivalent: set `language` of the store, or of a field',
}

function noteRest(draft: MigrationDraft, settings: Json): void {
  draft.noteSettings(settings, NO_EQUIVALENT)
  const displayed = textsOf(settings['displayedAttributes'])
  if (displayed.length > 0 && !displayed.includes('*')) {
    const fields = displayed.map((path) => draft.nameOf(path))
    draft.addResource('presets', 'displayed', { value: { return_fields: fields } })
    draft.note(
      'displayedAttributes',
      'became the preset "displayed": name it in searches, the fields are not secret without it',
    )
  }
}
