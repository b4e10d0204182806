import type { KnownSettings } from './fate.ts'

const ALL_WORDS = 'has no equivalent: it is set for all words and fields'
const INFLECTED = 'is built in: words are found in all their inflections'

/** https://www.algolia.com/doc/api-reference/settings-api-parameters */
export const ALGOLIA_SETTINGS: KnownSettings = {
  // Attributes
  searchableAttributes: 'carried',
  attributesToIndex: 'carried',
  attributesForFaceting: 'carried',
  unretrievableAttributes: 'carried',
  attributesToRetrieve: 'carried',
  numericAttributesForFiltering: 'carried',
  numericAttributesToIndex: 'carried',
  // Ranking
  ranking: {
    note: 'has no equivalent as a whole: results are ranked by relevance, then by `customRanking`',
    usual: [['typo', 'geo', 'words', 'filters', 'proximity', 'attribute', 'exact', 'custom']],
  },
  customRanking: 'carried',
  relevancyStrictness: {
    note: 'has no equivalent: `min_relevance` leaves out weak matches',
    usual: [100],
  },
  replicas: 'carried',
  slaves: 'carried',
  primary: {
    note: 'is the index of this replica: one store serves both, with `sort_by`',
  },
  // Faceting
  maxValuesPerFacet: 'carried',
  maxFacetHits: {
    note: 'has no equivalent: a search inside a facet (`facet_query`) returns up to `max_values`',
    usual: [10],
  },
  sortFacetValuesBy: {
    note: 'is part of a request: `facet_by=brand(sort:alpha)`',
    usual: ['count'],
  },
  renderingContent: 'carried',
  // Highlights and snippets
  attributesToHighlight: {
    note: 'has no equivalent: `highlight` has every searched field',
    usual: [['*']],
  },
  attributesToSnippet: 'carried',
  highlightPreTag: 'carried',
  highlightPostTag: 'carried',
  snippetEllipsisText: { note: 'has no equivalent', usual: ['…'] },
  restrictHighlightAndSnippetArrays: { note: 'has no equivalent', usual: [false] },
  replaceSynonymsInHighlight: {
    note: 'has no equivalent: the words of the text are marked',
    usual: [false],
  },
  // Pages
  hitsPerPage: 'carried',
  paginationLimitedTo: {
    note: 'has no equivalent: every page of the results is available',
    usual: [1000],
  },
  // Typos
  typoTolerance: 'carried',
  minWordSizefor1Typo: 'carried',
  minWordSizefor2Typos: 'carried',
  allowTyposOnNumericTokens: 'carried',
  disableTypoToleranceOnWords: { note: ALL_WORDS },
  disableTypoToleranceOnAttributes: { note: ALL_WORDS },
  separatorsToIndex: 'carried',
  // Languages
  indexLanguages: 'carried',
  queryLanguages: 'carried',
  ignorePlurals: { note: INFLECTED, usual: [false] },
  removeStopWords: {
    note: 'is built in: common words count little and need not match; put others into a stopword set',
    usual: [false],
  },
  decompoundQuery: {
    note: 'has no equivalent: compounds are split in languages that have them',
    usual: [true],
  },
  decompoundedAttributes: {
    note: 'is built in: parts of compounds are found in languages that have them',
  },
  camelCaseAttributes: { note: 'has no equivalent: `camelCase` is one word' },
  keepDiacriticsOnCharacters: {
    note: 'has no equivalent: words are compared without their accents',
  },
  customNormalization: {
    note: 'has no equivalent: letters are folded by the rules of docs/symbols.md',
  },
  attributesToTransliterate: { note: 'has no equivalent: add the other spelling to a field' },
  // Queries
  queryType: 'carried',
  removeWordsIfNoResults: 'carried',
  advancedSyntax: {
    note: 'is always on: `"…"` is a phrase, `-word` leaves out',
    usual: [false],
  },
  advancedSyntaxFeatures: {
    note: 'has no equivalent: phrases and exclusions are always understood',
    usual: [['exactPhrase', 'excludeWords']],
  },
  optionalWords: {
    note: 'has no equivalent: with `require_all_terms: false` all words are optional',
  },
  disablePrefixOnAttributes: { note: 'has no equivalent: prefixes are set for all fields' },
  disableExactOnAttributes: { note: 'has no equivalent: `exact_match_boost` is for all fields' },
  exactOnSingleWordQuery: { note: 'has no equivalent', usual: ['attribute'] },
  alternativesAsExact: {
    note: 'has no equivalent',
    usual: [
      ['ignorePlurals', 'singleWordSynonym'],
      ['ignorePlurals', 'singleWordSynonym', 'ignoreConjugations'],
    ],
  },
  minProximity: {
    note: 'has no equivalent: nearby words always rank higher',
    usual: [1],
  },
  attributeCriteriaComputedByMinProximity: { note: 'has no equivalent', usual: [false] },
  synonyms: { note: 'is part of a request: `synonym_sets=[]` switches them off', usual: [true] },
  enableRules: 'carried',
  mode: { note: 'has no equivalent: search is by words', usual: ['keywordSearch'] },
  semanticSearch: {
    note: 'is not exported with its vectors: docs/semantic.md describes search by meaning',
  },
  enablePersonalization: {
    note: 'is the setting `ranking.personalize`, whose tastes are learned here: docs/personal-results.md',
    usual: [false],
  },
  personalizationImpact: { note: 'has no equivalent', usual: [100] },
  enableReRanking: {
    note: 'is the setting `ranking.learning` here: try it in an experiment first',
    usual: [false, true],
  },
  reRankingApplyFilter: { note: 'has no equivalent' },
  // Groups
  attributeForDistinct: 'carried',
  distinct: 'carried',
  // Answers
  responseFields: { note: 'has no equivalent: responses have all members', usual: [['*']] },
  userData: { note: 'has no equivalent: keep it in your page, or in the metadata of a rule' },
  // Storage of the index
  allowCompressionOfIntegerArray: 'fact',
  version: 'fact',
}

/** Members of a rule. */
export const ALGOLIA_RULE: KnownSettings = {
  objectID: 'carried',
  conditions: 'carried',
  condition: 'carried',
  consequence: 'carried',
  description: 'carried',
  enabled: 'carried',
  validity: 'carried',
  tags: { note: '`tags` has no equivalent: name rules by them' },
  scope: { note: '`scope` has no equivalent' },
  _metadata: 'fact',
  _highlightResult: 'fact',
}

export const ALGOLIA_CONDITION: KnownSettings = {
  pattern: 'carried',
  anchoring: 'carried',
  context: 'carried',
  filters: 'carried',
  alternatives: {
    note: '`alternatives` has no equivalent: conditions match inflections, not typos or synonyms',
    usual: [false],
  },
}

export const ALGOLIA_CONSEQUENCE: KnownSettings = {
  params: 'carried',
  promote: 'carried',
  filterPromotes: 'carried',
  hide: 'carried',
  userData: 'carried',
  redirect: 'carried',
}

/** Search parameters of a consequence; all others are left out, and noted. */
export const ALGOLIA_RULE_PARAMETERS: readonly string[] = [
  'query',
  'filters',
  'facetFilters',
  'numericFilters',
  'optionalFilters',
  'renderingContent',
  'userData',
]

export const ALGOLIA_SYNONYM: KnownSettings = {
  objectID: 'carried',
  type: 'carried',
  synonyms: 'carried',
  input: 'carried',
  word: 'carried',
  corrections: 'carried',
  placeholder: 'carried',
  replacements: 'carried',
  _highlightResult: 'fact',
}
