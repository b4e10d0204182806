import { createHash } from 'node:crypto'

/**
 * The terms of the index of products. Each begins with the **scope**: the documents of one store as
 * they belong together, until they are cleared, replaced or moved. So nothing that walks through a
 * dictionary (a prefix, typos, document frequencies) ever meets the words of another store, or
 * those of documents that are gone and not purged yet.
 *
 * A scope is a short text of letters and digits, never used twice in a cluster.
 */

/** UTF-16 code units of a form that are kept as they are. */
const FORM_KEPT = 80
/** Longer forms are cut, and told apart by what follows. A tokenizer of the cluster cuts at 255. */
const FORM_MAX = 110
/** Separates the kept part of a cut text from its hash; no token of a text contains it. */
const CUT_MARK = '\uE001'
const HASH_CHARS = 22
/** Bytes: a term of the cluster has at most 32,766. */
const VALUE_MAX_BYTES = 8_000
const VALUE_KEPT = 2_000
/** Bytes of an id of the cluster. */
const ID_MAX_BYTES = 512

/** A form or a stem in any searchable field: of `words` and `groups`. */
export function wordTerm(scope: string, form: string): string {
  return `${scope}/${shortForm(form)}`
}

/**
 * A stem in one field, by field ordinal: of `row0` where a form is its own stem, of `stemRow0`
 * where it is not. With an empty one: what such terms begin with.
 */
export function fieldTerm(scope: string, field: number, form: string): string {
  return `${scope}/${field}/${shortForm(form)}`
}

/** A form in one field that is not its own stem: of `row0` and so on, and of `joined`. */
export function inflectedTerm(scope: string, field: number, form: string): string {
  return `${scope}/${field}=${shortForm(form)}`
}

/** Both terms by which a form may stand in a field, whatever its stem; also of its beginning. */
export function formTerms(scope: string, field: number, form: string): string[] {
  return [fieldTerm(scope, field, form), inflectedTerm(scope, field, form)]
}

/** The stem of a joined form that is not its own stem: of `joined`. */
export function joinedStemTerm(scope: string, field: number, stem: string): string {
  return `${scope}/${field}~${shortForm(stem)}`
}

/** A stem in one field, with the level of its impact there. */
export function impactTerm(scope: string, field: number, level: number, stem: string): string {
  return `${scope}/${field}/${level}/${shortForm(stem)}`
}

/** A whole value of a field as its forms in a row: of `exact`. */
export function exactTerm(scope: string, field: number, forms: readonly string[]): string {
  return `${scope}/${field}/${shortForm(forms.join('+'))}`
}

/** A folded value of a column: of `folded00` and so on. Of a prefix: what such terms begin with. */
export function valueTerm(scope: string, folded: string): string {
  return `${scope}/${shortValue(folded)}`
}

/** That a document has a value of this field: of `present`. */
export function presenceTerm(scope: string, field: number): string {
  return `${scope}/${field}`
}

/** `_id` of a document: short enough for the cluster, different for different ids. */
export function productId(scope: string, id: string): string {
  const plain = `${scope}=${id}`
  return Buffer.byteLength(plain) <= ID_MAX_BYTES ? plain : `${scope}#${hash(id)}`
}

/** A value of a column as it is stored: one of more than 8,000 bytes is cut, and stays its own. */
export function shortValue(value: string): string {
  const isShort = value.length * 3 <= VALUE_MAX_BYTES || Buffer.byteLength(value) <= VALUE_MAX_BYTES
  return isShort ? value : cut(value, VALUE_KEPT)
}

/** A form or a stem as terms have it. */
export function shortForm(form: string): string {
  return form.length <= FORM_MAX && !/\s/u.test(form) ? form : cut(form, FORM_KEPT)
}

function cut(text: string, kept: number): string {
  const start = text.slice(0, kept).toWellFormed().replace(/\s/gu, '_')
  return `${start}${CUT_MARK}${hash(text)}`
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_CHARS)
}

/** Levels of impact: 0 is the least. */
export const IMPACT_LEVELS = 10
/** Each level has this many times the evidence of the one below. */
const IMPACT_STEP = 1.5
const NEUTRAL_LEVEL = 6

/**
 * About how much a field says of a word: more when it says it often, less when it is long. The
 * evidence of docs/ranking.md for a field of usual length (b .6, average length 12), in steps that
 * are fine enough to choose candidates by. Their order comes from the documents themselves.
 */
export function impactLevel(termFreq: number, fieldLength: number): number {
  const evidence = termFreq / (0.4 + 0.05 * fieldLength)
  const level = Math.floor(Math.log(evidence) / Math.log(IMPACT_STEP)) + NEUTRAL_LEVEL
  return Math.min(Math.max(level, 0), IMPACT_LEVELS - 1)
}

/** The evidence that stands for all of a level: the middle of it, for a field of usual length. */
export function impactEvidence(level: number): number {
  return IMPACT_STEP ** (level - NEUTRAL_LEVEL + 0.5)
}
