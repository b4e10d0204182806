import { listOf, objectOf, textOf, textsOf, type Json } from './json.ts'
import { memberNotes } from './known/fate.ts'
import {
  OPENSEARCH_ANALYSIS,
  OPENSEARCH_FILTERS,
  OPENSEARCH_SETTINGS,
  OPENSEARCH_STOP_FILTER,
  OPENSEARCH_SYNONYM_FILTER,
} from './known/opensearch-settings.ts'
import type { MigrationDraft } from './migration.ts'
import { synonymItems } from './solr-synonyms.ts'

/**
 * Returns the settings of an index, with or without the wrapper `index`; some responses have names
 * with dots.
 */
function settingsOf(index: Json): Json {
  const settings = objectOf(index['settings'])
  const own = objectOf(settings['index'] ?? settings)
  const nested: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(own)) {
    const [first = '', ...rest] = name.replace(/^index\./, '').split('.')
    if (rest.length === 0) nested[first] = value
    else nested[first] = { ...objectOf(nested[first]), [rest.join('.')]: value }
  }
  return nested
}

/** The language of each analyzer: its type, or the stemmer among its filters. */
export function analyzerLanguages(index: Json): ReadonlyMap<string, string> {
  const analysis = objectOf(settingsOf(index)['analysis'])
  const filters = objectOf(analysis['filter'])
  const languages = new Map(
    Object.entries(LANGUAGES).filter(([name]) => !name.startsWith('light_')),
  )
  for (const [name, value] of Object.entries(objectOf(analysis['analyzer']))) {
    const analyzer = objectOf(value)
    const stemmers = textsOf(analyzer['filter']).map((one) => stemmerOf(objectOf(filters[one])))
    const type = LANGUAGES[textOf(analyzer['type']) ?? '']
    const [language] = [type, ...stemmers].filter((one) => one !== undefined)
    if (language !== undefined) languages.set(name, language)
  }
  return languages
}

function stemmerOf(filter: Json): string | undefined {
  const type = textOf(filter['type'])
  if (type !== 'stemmer' && type !== 'snowball') return undefined
  return LANGUAGES[(textOf(filter['language'] ?? filter['name']) ?? 'english').toLowerCase()]
}

/** Synonyms and stop words of the filters of the analysis. */
export function addAnalysis(draft: MigrationDraft, index: Json): void {
  const settings = settingsOf(index)
  draft.noteSettings(settings, OPENSEARCH_SETTINGS, 'settings.')
  const analysis = objectOf(settings['analysis'])
  for (const [part, made] of Object.entries(analysis)) {
    for (const name of Object.keys(objectOf(made))) {
      const notes = memberNotes({ [part]: name }, OPENSEARCH_ANALYSIS)
      for (const note of notes) draft.note(`${part} ${name}`, note)
    }
  }
  const language = analyzerLanguages(index).get('default')
  if (language !== undefined) draft.setSetting('language', language)
  for (const [name, value] of Object.entries(objectOf(analysis['analyzer']))) {
    const found = analyzerLanguages(index).get(name)
    draft.note(
      `analyzer ${name}`,
      found === undefined
        ? 'has no equivalent as a whole: tokens and stems follow the language; its filters are below'
        : `is the language \`${found}\` here; its filters are below`,
    )
    const signs = textsOf(objectOf(value)['char_filter'])
    if (signs.includes('html_strip')) {
      draft.note(
        `analyzer ${name}`,
        '`html_strip` has no equivalent: strip HTML from texts before you send them',
      )
    }
  }
  for (const [name, value] of Object.entries(objectOf(analysis['filter']))) {
    addFilter(draft, name, objectOf(value))
  }
}

function addFilter(draft: MigrationDraft, name: string, filter: Json): void {
  const type = textOf(filter['type']) ?? ''
  if (!Object.hasOwn(OPENSEARCH_FILTERS, type)) {
    draft.note(`filter ${name}`, `is left out: the type \`${type}\` has no equivalent`)
    return
  }
  for (const note of memberNotes({ [type]: name }, OPENSEARCH_FILTERS)) {
    draft.note(`filter ${name}`, `(\`${type}\`) ${note}`)
  }
  if (type === 'synonym' || type === 'synonym_graph') addSynonyms(draft, name, filter)
  else if (type === 'stop') addStopwords(draft, name, filter)
  else if (type === 'stemmer' || type === 'snowball') {
    const language = stemmerOf(filter)
    if (language !== undefined) draft.setSetting('language', language)
    else draft.note(`filter ${name}`, 'is left out: its language is not supported')
  }
}

function addSynonyms(draft: MigrationDraft, name: string, filter: Json): void {
  const about = `synonyms ${name}`
  draft.noteMembers(about, filter, OPENSEARCH_SYNONYM_FILTER)
  const { items, unread } = synonymItems(textsOf(filter['synonyms']))
  if (items.length > 0) draft.addResource('synonym-sets', name, { items, default: true })
  for (const line of unread) draft.note(about, `\`${line}\` is left out`)
  if (textOf(filter['synonyms_path']) !== undefined) {
    draft.note(about, 'are in a file of the cluster: put them into a synonym set')
  }
}

function addStopwords(draft: MigrationDraft, name: string, filter: Json): void {
  const about = `stopwords ${name}`
  draft.noteMembers(about, filter, OPENSEARCH_STOP_FILTER)
  const given = filter['stopwords'] ?? []
  const words = (typeof given === 'string' ? [given] : textsOf(listOf(given))).flatMap((one) =>
    one.split(',').map((word) => word.trim()),
  )
  const stopwords = words.filter((one) => one !== '' && !one.startsWith('_'))
  if (stopwords.length > 0) draft.addResource('stopword-sets', name, { stopwords, default: true })
  const lists = words.filter((one) => one.startsWith('_') && one !== '_none_')
  if (lists.length > 0) {
    draft.note(
      about,
      `${lists.join(', ')} is built in: the common words of a language count little`,
    )
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
