import { hash as digest } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { spaceField } from '@aisle/engine'

/**
 * The terms of the product index. Each begins with the **scope**: the documents of one store that
 * belong together, until they are cleared, replaced or moved. So a walk through a dictionary
 * (prefixes, typos, document frequencies) never meets the words of another store, or of removed
 * documents that are not purged yet.
 *
 * A scope is a short string of letters and digits, never reused in a cluster.
 */

/** Maximum of UTF-16 code units of a form that are kept unchanged. */
const FORM_KEPT = 80
/** Longer forms are cut and get a hash of the rest. A tokenizer of the cluster cuts at 255. */
const FORM_MAX = 110
/** Separates the kept part of a cut text from its hash; no token of a text contains it. */
export const CUT_MARK = '\uE001'
/**
 * Number of features of all stores together, which their stems share. The JSON parser of the
 * cluster keeps up to 6,000 names, and copies all of them for each document that has a new one:
 * with a feature for each stem, that was half of the time of a load.
 */
export const FEATURES = 4_096
/** Replaces a full stop in the names of features. No token of a text contains it. */
const FULL_STOP = '\uE002'
const HASH_CHARS = 22
/** Maximum of bytes of a value; a term of the cluster has at most 32,766. */
const VALUE_MAX_BYTES = 8_000
const VALUE_KEPT = 2_000
/** Maximum of bytes of an id of the cluster. */
const ID_MAX_BYTES = 512

/** The term of a form or stem in any searchable field, for `words` and `groups`. */
export function wordTerm(scope: string, form: string): string {
  return `${scope}/${shortForm(form)}`
}

/**
 * The term of a stem in one field, by field ordinal: for `row0` if the form is its own stem,
 * otherwise for `stemRow0`. An empty form gives the prefix of such terms.
 */
export function fieldTerm(scope: string, field: number, form: string): string {
  return `${scope}/${field}/${shortForm(form)}`
}

/** The term of a form that is not its own stem, in one field: for the rows and `joined`. */
export function inflectedTerm(scope: string, field: number, form: string): string {
  return `${scope}/${field}=${shortForm(form)}`
}

/** Both terms that a form may have in a field, whatever its stem; also for a prefix of a form. */
export function formTerms(scope: string, field: number, form: string): string[] {
  return [fieldTerm(scope, field, form), inflectedTerm(scope, field, form)]
}

/** The term of the stem of a joined form that is not its own stem: for `joined`. */
export function joinedStemTerm(scope: string, field: number, stem: string): string {
  return `${scope}/${field}~${shortForm(stem)}`
}

/** The feature of a stem in `evidence`, whatever the scope. Other stems may have the same one. */
export function evidenceFeature(stem: string): string {
  return featureName(featureNumber(stem))
}

/** @returns below `FEATURES` */
export function featureNumber(stem: string): number {
  return crc32(stem) % FEATURES
}

export function featureName(number: number): string {
  return number.toString(36)
}

/**
 * The same where the documents of a place are of an older version, with a feature for each stem.
 * The cluster allows no full stop in it.
 */
export function formerFeature(scope: string, stem: string): string {
  return `${scope}/${shortForm(stem).replaceAll('.', FULL_STOP)}`
}

/**
 * The term of a whole value of a field, as its forms in a row: for `exact`. Nothing walks through
 * these terms, and nearly all of them are in one document only, so a long one is its hash.
 */
export function exactTerm(scope: string, field: number, forms: readonly string[]): string {
  const value = forms.join('+')
  return `${scope}/${field}/${value.length > HASH_CHARS ? `${CUT_MARK}${hash(value)}` : shortForm(value)}`
}

/** The terms that a whole value may have: older documents have it as it is. */
export function exactTerms(scope: string, field: number, forms: readonly string[]): string[] {
  const former = `${scope}/${field}/${shortForm(forms.join('+'))}`
  return [...new Set([exactTerm(scope, field, forms), former])]
}

/**
 * The term of a folded value of a column, for `folded00` and so on. A prefix gives the prefix of
 * such terms.
 */
export function valueTerm(scope: string, folded: string): string {
  return `${scope}/${shortValue(folded)}`
}

/** The term for having a value of a field: for `present`. */
export function presenceTerm(scope: string, field: number): string {
  return `${scope}/${field}`
}

/** The term for having the vector of a space: for `present`. */
export function vectorTerm(scope: string, space: number): string {
  return presenceTerm(scope, spaceField({ number: space }))
}

/** The term for a text that gets no vector in a space: for `present`. */
export function vectorlessTerm(scope: string, space: number): string {
  return `${vectorTerm(scope, space)}!`
}

/** The `_id` of a document: short enough for the cluster, different for different ids. */
export function productId(scope: string, id: string): string {
  const plain = `${scope}=${id}`
  return Buffer.byteLength(plain) <= ID_MAX_BYTES ? plain : `${scope}#${hash(id)}`
}

/** A value of a column as stored: one of more than 8,000 bytes is cut, but remains unique. */
export function shortValue(value: string): string {
  const isShort = value.length * 3 <= VALUE_MAX_BYTES || Buffer.byteLength(value) <= VALUE_MAX_BYTES
  return isShort ? value : cut(value, VALUE_KEPT)
}

/** A form or stem as it is in terms. */
export function shortForm(form: string): string {
  return form.length <= FORM_MAX && !/\s/u.test(form) ? form : cut(form, FORM_KEPT)
}

function cut(text: string, kept: number): string {
  const start = text.slice(0, kept).toWellFormed().replace(/\s/gu, '_')
  return `${start}${CUT_MARK}${hash(text)}`
}

function hash(text: string): string {
  return digest('sha256', text, 'base64url').slice(0, HASH_CHARS)
}
