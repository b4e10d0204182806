import { listIn, listOf, numberOf, objectOf, textOf, textsOf, type Json } from './json.ts'
import { inner, isNamed } from './algolia-names.ts'
import { facetDisplayOf, NO_FACET } from './algolia-facet-display.ts'
import { ruleOfAlgolia } from './algolia-rules.ts'
import { addShown } from './algolia-shown.ts'
import { ALGOLIA_SETTINGS, ALGOLIA_SYNONYM } from './known/algolia-settings.ts'
import type { Material } from './material.ts'
import { MigrationDraft, type Migration } from './migration.ts'
import { orderedWeights } from './ordered-weights.ts'
import { sampleFields } from './sample-fields.ts'
import { SourceError } from './source-error.ts'

export const ALGOLIA_PARTS = ['settings', 'synonyms', 'rules']

/**
 * An index of Algolia: its settings, synonyms and rules as exported by its API or dashboard. It has
 * no types: they are inferred from the first records.
 *
 * @throws SourceError
 */
export function migrateAlgolia({ parts, sample }: Material): Migration {
  if (parts['settings'] === undefined) throw new SourceError('The settings are missing')
  const settings = objectOf(parts['settings'])
  const draft = new MigrationDraft()
  draft.idMember = 'objectID'
  addFields(draft, settings, sample)
  addRanking(draft, settings)
  addDistinct(draft, settings)
  addShown(draft, settings)
  addFacetDisplay(draft, settings)
  addSynonyms(draft, listIn(parts['synonyms'], 'hits', 'synonyms').map(objectOf))
  const rules = listIn(parts['rules'], 'hits', 'rules').map(objectOf)
  notePins(draft, rules)
  for (const rule of rules) {
    const id = textOf(rule['objectID']) ?? 'rule'
    const { value, notes } = ruleOfAlgolia(rule, draft)
    for (const note of notes) draft.note(`rule ${id}`, note)
    if (value !== undefined) draft.addResource('rules', id, value)
  }
  noteRest(draft, settings)
  return draft.finish()
}

function addFacetDisplay(draft: MigrationDraft, { renderingContent: content }: Json): void {
  const { facetOrdering, ...others } = objectOf(content)
  const names = Object.keys(others)
  if (names.length > 0) draft.note('renderingContent', `(${names.join(', ')}) has no equivalent`)
  if (facetOrdering === undefined) return
  const display = facetDisplayOf(content, (attribute) => draft.facetOf(attribute))
  if (display === undefined) draft.note('renderingContent', NO_FACET)
  else draft.setSetting('facet_display', display)
}

/** `["title,name", "unordered(description)"]`: attributes by rank. */
function searchableRanks(settings: Json): string[][] {
  const listed = textsOf(settings['searchableAttributes'] ?? settings['attributesToIndex'])
  return listed.map((entry) =>
    entry
      .split(',')
      .map((one) => inner(one.trim()))
      .filter((one) => one !== ''),
  )
}

/** Members of records with a special meaning in Algolia. */
const NOT_FIELDS = ['_geoloc', '_highlightResult', '_snippetResult', '_rankingInfo']

function addFields(draft: MigrationDraft, settings: Json, sample: readonly string[]): void {
  const searchable = searchableRanks(settings).flat()
  const facets = textsOf(settings['attributesForFaceting']).map(inner)
  const numeric = [
    ...textsOf(settings['numericAttributesForFiltering']),
    ...textsOf(settings['numericAttributesToIndex']),
  ].map(inner)
  const sampled = sampleFields(sample, (path) => NOT_FIELDS.includes(path))
  for (const [path, field] of sampled) {
    if (NOT_FIELDS.includes(path)) {
      const type = field.type.endsWith('[]') ? 'geopoint[]' : 'geopoint'
      if (path === '_geoloc') draft.addField({ path, field: { type } })
      continue
    }
    const isWholeSearchable = searchable.length === 0 || isNamed(path, searchable)
    if (field.type === 'object' || field.type === 'object[]') {
      draft.addObject(path, field.type)
      // The name of an object includes all its members, even those that only later records have.
      const roles = {
        ...(isNamed(path, searchable) ? { searchable: true } : {}),
        ...(isNamed(path, facets) ? { facet: true } : {}),
      }
      if (Object.keys(roles).length > 0) draft.addPattern(path, roles)
      continue
    }
    if (field.type === 'auto') {
      const object = path.slice(0, -2)
      const facet = isNamed(object, facets) ? { facet: true } : {}
      draft.addPattern(object, { ...(isWholeSearchable ? { searchable: true } : {}), ...facet })
      continue
    }
    const isText = field.type.startsWith('string')
    const isList = field.type.endsWith('[]')
    const isFacet = isNamed(path, facets) || path === '_tags'
    draft.addField({
      path,
      field: {
        type: field.type,
        ...(isText && isWholeSearchable ? { searchable: true } : {}),
        // Algolia can filter and sort by every number of a record.
        ...(isFacet || isNamed(path, numeric) || !isText ? { facet: true } : {}),
        ...(!isText && !isList ? { sort: true } : {}),
      },
    })
  }
  for (const name of [...searchable, ...facets]) {
    if ([...sampled.keys()].some((path) => isNamed(path, [name]))) continue
    draft.note(`field ${name}`, 'is left out: none of the first records has it')
  }
}

function addRanking(draft: MigrationDraft, settings: Json): void {
  const ranks = searchableRanks(settings).map((group) =>
    draft.searchedFields((path) => isNamed(path, group)),
  )
  if (ranks.flat().length > 1) draft.setRanking('field_weights', orderedWeights(ranks))
  const orders = textsOf(settings['customRanking']).map(orderOf)
  draft.setOrder('customRanking', orders)
  if (settings['typoTolerance'] === false || settings['typoTolerance'] === 'false') {
    draft.setRanking('typo_max', 0)
  } else if (settings['typoTolerance'] === 'strict' || settings['typoTolerance'] === 'min') {
    draft.note('typoTolerance', '`strict` and `min` have no equivalent: typos are allowed')
  }
  const [one, two] = [
    numberOf(settings['minWordSizefor1Typo']),
    numberOf(settings['minWordSizefor2Typos']),
  ]
  if (one !== undefined) draft.setRanking('typo_min_len_1', one)
  if (two !== undefined) draft.setRanking('typo_min_len_2', two)
  if (settings['allowTyposOnNumericTokens'] === true) draft.setRanking('typo_numbers', true)
  if (settings['queryType'] === 'prefixNone') draft.setRanking('prefix_mode', 'off')
  if (settings['queryType'] === 'prefixAll') {
    draft.note('queryType', '`prefixAll` has no equivalent: only the last word is a prefix')
  }
  addRequiredWords(draft, textOf(settings['removeWordsIfNoResults']) ?? 'none')
  draft.setSymbols([...(textOf(settings['separatorsToIndex']) ?? '')], [])
  const languages = [settings['indexLanguages'], settings['queryLanguages']].flatMap(textsOf)
  const [language, ...others] = new Set(languages)
  if (language !== undefined) draft.setSetting('language', language)
  if (others.length > 0) {
    draft.note(
      'indexLanguages',
      `has ${others.join(', ')} in addition to ${language}: a store has one language; set \`language\` for fields in other languages`,
    )
  }
}

/** Algolia requires all words unless the setting drops some. */
function addRequiredWords(draft: MigrationDraft, strategy: string): void {
  if (strategy === 'none') {
    draft.setRanking('require_all_terms', true)
    return
  }
  draft.note(
    'removeWordsIfNoResults',
    `\`${strategy}\` is the default here, with a difference: all words must match while at least 10 documents have them, else any word does`,
  )
}

/** Pinned products must pass the filters of a request here, as with `filterPromotes`. */
function notePins(draft: MigrationDraft, rules: readonly Json[]): void {
  const pinning = rules.filter(({ consequence }) => {
    const { promote, filterPromotes } = objectOf(consequence)
    return listOf(promote).length > 0 && filterPromotes !== true
  })
  if (pinning.length === 0) return
  const ids = pinning.slice(0, 20).map((rule) => textOf(rule['objectID']) ?? 'rule')
  draft.note(
    'filterPromotes',
    `is not set in ${pinning.length === 1 ? 'rule' : 'rules'} ${ids.join(', ')}: pinned products are shown only if they pass the filters of the request here`,
  )
}

/** `desc(price)` contains the field and the direction. */
function orderOf(order: string): [string, string] {
  return [inner(order), order.startsWith('desc') ? 'desc' : 'asc']
}

function addSynonyms(draft: MigrationDraft, synonyms: readonly Json[]): void {
  const items = synonyms.flatMap((one) => {
    const id = textOf(one['objectID'])
    draft.noteMembers(`synonym ${id ?? ''}`, one, ALGOLIA_SYNONYM)
    const named = id === undefined ? {} : { id }
    const type = (textOf(one['type']) ?? 'synonym').toLowerCase()
    const texts = textsOf(one['synonyms'])
    if (type === 'synonym') return texts.length < 2 ? [] : [{ ...named, synonyms: texts }]
    if (type === 'onewaysynonym') {
      const root = textOf(one['input'])
      return root === undefined || texts.length === 0 ? [] : [{ ...named, root, synonyms: texts }]
    }
    if (type.startsWith('altcorrection')) {
      const root = textOf(one['word'])
      const corrections = textsOf(one['corrections'])
      if (root === undefined || corrections.length === 0) return []
      draft.note(
        `synonym ${id ?? root}`,
        'is an alternative correction: it became a one-way synonym',
      )
      return [{ ...named, root, synonyms: corrections }]
    }
    draft.note(`synonym ${id ?? ''}`, `is left out: \`${type}\` has no equivalent`)
    return []
  })
  if (items.length > 0) draft.addResource('synonym-sets', 'synonyms', { items, default: true })
}

/** Variants of one product: shows one or more of them. */
function addDistinct(draft: MigrationDraft, { attributeForDistinct, distinct }: Json): void {
  const attribute = textOf(attributeForDistinct)
  if (attribute === undefined) return
  const limit = distinct === true ? 1 : (numberOf(distinct) ?? 0)
  if (limit >= 1) draft.setDistinct('attributeForDistinct', attribute, Math.min(limit, 99))
  else {
    draft.note(
      'attributeForDistinct',
      `is off there: searches group with group_by=${draft.nameOf(attribute)} (a facet), or set \`distinct\``,
    )
  }
}

function noteRest(draft: MigrationDraft, settings: Json): void {
  draft.noteSettings(settings, ALGOLIA_SETTINGS)
  for (const replica of [...textsOf(settings['replicas']), ...textsOf(settings['slaves'])]) {
    draft.note(
      `replica ${inner(replica)}`,
      'needs no copy of the documents: request its order with `sort_by`, or save a preset with it',
    )
  }
}
