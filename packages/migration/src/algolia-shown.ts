import {
  FACET_VALUES_MAX,
  MARK_MAX_CHARS,
  PER_PAGE_MAX,
  SNIPPET_TOKEN_LIMIT_MAX,
} from '@aisle/contract/limits'
import { inner, isNamed } from './algolia-names.ts'
import { hideFields, leftOutOf } from './hidden-fields.ts'
import { textOf, textsOf, type Json } from './json.ts'
import type { MigrationDraft } from './migration.ts'

/** The content and length of answers: parameters of searches here. */
export function addShown(draft: MigrationDraft, settings: Json): void {
  const facets = textsOf(settings['attributesForFaceting'])
  const filters = [...facets, ...textsOf(settings['numericAttributesForFiltering'])].map(inner)
  const orders = textsOf(settings['customRanking']).map(inner)
  const roles = {
    isFilter: (path: string) => isNamed(path, filters),
    isOrder: (path: string) => isNamed(path, orders),
  }
  const secret = textsOf(settings['unretrievableAttributes']).map((one) => `-${one}`)
  hideFields(draft, 'unretrievableAttributes', leftOutOf(draft.paths(), ['*', ...secret]), roles)
  const shown = settings['attributesToRetrieve']
  if (Array.isArray(shown)) {
    // Facets are always returned there; omitting their fields here would remove them.
    const counted = facets.filter((one) => !one.startsWith('filterOnly(')).map(inner)
    const listed = textsOf(shown)
    const left = leftOutOf(draft.paths(), [...listed, ...counted])
    hideFields(draft, 'attributesToRetrieve', left, roles)
    const returned = listed.filter((one) => one !== '*' && !one.startsWith('-'))
    const fields = returned.flatMap((one) => draft.fieldOf(one)?.name ?? [])
    if (!listed.includes('*') && fields.length > 0) draft.setParameter('return_fields', fields)
  }
  draft.setLimited('per_page', 'hitsPerPage', settings['hitsPerPage'], PER_PAGE_MAX)
  const maxValues = settings['maxValuesPerFacet']
  draft.setLimited('max_values', 'maxValuesPerFacet', maxValues, FACET_VALUES_MAX)
  addMark(draft, settings, 'highlightPreTag', 'highlight_prefix', '<em>')
  addMark(draft, settings, 'highlightPostTag', 'highlight_suffix', '</em>')
  if (settings['enableRules'] === false) draft.setParameter('apply_rules', false)
  addSnippets(draft, textsOf(settings['attributesToSnippet']))
}

/** The default marks of Algolia differ, so they are set even if unchanged. */
function addMark(
  draft: MigrationDraft,
  settings: Json,
  setting: string,
  parameter: string,
  usual: string,
): void {
  const mark = textOf(settings[setting])
  if (mark === undefined) return
  if (mark.length <= MARK_MAX_CHARS) draft.setParameter(parameter, mark)
  else draft.note(setting, `is left out: it has more than ${MARK_MAX_CHARS} characters (${usual})`)
}

/** `["description:20", "*:10"]`: attributes with their number of words. */
function addSnippets(draft: MigrationDraft, snippets: readonly string[]): void {
  if (snippets.length === 0) return
  const parts = snippets.map((one) => one.split(':'))
  const names = parts.map(([name = '']) => name).filter((name) => name !== '*')
  const fields = names.flatMap((name) => draft.fieldOf(name)?.name ?? [])
  const sizes = parts.map(([, words]) => Number(words ?? 10)).filter((size) => size >= 1)
  draft.setParameter('include_snippets', true)
  if (fields.length > 0 && names.length === parts.length) {
    draft.setParameter('snippet_fields', fields)
  }
  const size = Math.max(...sizes, 1)
  draft.setLimited('snippet_token_limit', 'attributesToSnippet', size, SNIPPET_TOKEN_LIMIT_MAX)
  if (new Set(sizes).size > 1) {
    draft.note('attributesToSnippet', `has several lengths: all snippets get ${size} words`)
  }
}
