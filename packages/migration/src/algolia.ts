import { listIn, numberOf, objectOf, textOf, textsOf } from './json.ts'
import type { Json } from './json.ts'
import { ruleOfAlgolia } from './algolia-rules.ts'
import type { Material } from './material.ts'
import { MigrationDraft, type Migration } from './migration.ts'
import { orderedWeights } from './ordered-weights.ts'
import { sampleFields } from './sample-fields.ts'
import { SourceError } from './source-error.ts'

export const ALGOLIA_PARTS = ['settings', 'synonyms', 'rules']

/**
 * An index of Algolia: its settings, synonyms and rules as its API or dashboard exports them. It
 * has no types: those are learnt from the first records.
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
  addSynonyms(draft, listIn(parts['synonyms'], 'hits', 'synonyms').map(objectOf))
  for (const rule of listIn(parts['rules'], 'hits', 'rules').map(objectOf)) {
    const id = textOf(rule['objectID']) ?? 'rule'
    const { value, notes } = ruleOfAlgolia(rule, (attribute) => draft.nameOf(attribute))
    for (const note of notes) draft.note(`rule ${id}`, note)
    if (value !== undefined) draft.addResource('rules', id, value)
  }
  noteRest(draft, settings)
  return draft.finish()
}

/** What is in the parentheses: `searchable(brand)`, `unordered(title)`, `desc(price)`. */
function inner(text: string): string {
  const [start, end] = [text.indexOf('('), text.lastIndexOf(')')]
  return start > 0 && end > start ? text.slice(start + 1, end) : text
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

/** Members of records that Algolia gives a meaning of its own. */
const NOT_FIELDS = ['_geoloc', '_highlightResult', '_snippetResult', '_rankingInfo']

function addFields(draft: MigrationDraft, settings: Json, sample: readonly string[]): void {
  const searchable = searchableRanks(settings).flat()
  const facets = textsOf(settings['attributesForFaceting']).map(inner)
  const numeric = textsOf(settings['numericAttributesForFiltering']).map(inner)
  const sampled = sampleFields(sample, (path) => NOT_FIELDS.includes(path))
  const isNamed = (path: string, names: readonly string[]): boolean =>
    names.some((name) => name === path || path.startsWith(`${name}.`))
  for (const [path, field] of sampled) {
    if (NOT_FIELDS.includes(path)) {
      const type = field.type.endsWith('[]') ? 'geopoint[]' : 'geopoint'
      if (path === '_geoloc') draft.addField({ path, field: { type } })
      continue
    }
    const isWholeSearchable = searchable.length === 0 || isNamed(path, searchable)
    if (field.type === 'object' || field.type === 'object[]') {
      draft.addObject(path, field.type)
      // Named as a whole, all that is in it is meant, also what only later records have.
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
        // Every number of a record can be filtered and ordered by in Algolia.
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
    group.flatMap((attribute) => draft.fieldOf(attribute)?.name ?? []),
  )
  if (ranks.flat().length > 1) draft.setRanking('field_weights', orderedWeights(ranks))
  const orders = textsOf(settings['customRanking']).map((one) => orderOf(draft, one))
  if (orders.length > 0) draft.setRanking('sort_by', ['_text_match:desc', ...orders].join(','))
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
  // Algolia wants all words unless it is told to let go of some.
  if ((settings['removeWordsIfNoResults'] ?? 'none') === 'none') {
    draft.setRanking('require_all_terms', true)
  }
  draft.setSymbols([...(textOf(settings['separatorsToIndex']) ?? '')], [])
  const language = textsOf(settings['indexLanguages'] ?? settings['queryLanguages'])[0]
  if (language !== undefined) draft.setSetting('language', language)
}

/** `desc(price)` -> `price:desc` */
function orderOf(draft: MigrationDraft, order: string): string {
  return `${draft.nameOf(inner(order))}:${order.startsWith('desc') ? 'desc' : 'asc'}`
}

function addSynonyms(draft: MigrationDraft, synonyms: readonly Json[]): void {
  const items = synonyms.flatMap((one) => {
    const id = textOf(one['objectID'])
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

/** Settings that have no equivalent when they are set to something. */
const NO_EQUIVALENT: Readonly<Record<string, string>> = {
  disableTypoToleranceOnWords: 'has no equivalent: typos are set for all words',
  disableTypoToleranceOnAttributes: 'has no equivalent: typos are set for all words',
  disableExactOnAttributes: 'has no equivalent',
  disablePrefixOnAttributes: 'has no equivalent: prefixes are set for all words',
  decompoundedAttributes: 'needs nothing: compounds are found in languages that have them',
  camelCaseAttributes: 'has no equivalent',
  unretrievableAttributes: 'has no equivalent: name the fields in `omit_fields`, or leave them out',
  optionalWords: 'has no equivalent: with `require_all_terms: false` all words are optional',
}

/** Variants of one product: shown as one, or so many. */
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
  draft.noteSettings(settings, NO_EQUIVALENT)
  for (const replica of textsOf(settings['replicas'])) {
    draft.note(
      `replica ${inner(replica)}`,
      'needs no copy of the documents: ask for its order with `sort_by`, or save a preset with it',
    )
  }
}
