import type { QuerySlot, SearchPlan } from '@aisle/engine'

/** Finds all documents, newest first, and shows none: tests specify only what they change. */
export const EMPTY_PLAN: SearchPlan = {
  slots: [],
  fieldWeights: [],
  lengthNorms: [],
  titleField: -1,
  requireAllTerms: false,
  phrases: [],
  exclusions: [],
  exactValue: [],
  exactValueFields: [],
  pins: [],
  boosts: [],
  sort: [],
  facets: [],
  disjunctiveFacets: false,
  from: 0,
  size: 0,
  explain: false,
}

/** A word that matches as typed, and in other forms of its stem. */
export function plainSlot(form: string, stem: string): QuerySlot {
  return {
    form,
    stem,
    weight: 1,
    stopword: false,
    joined: [],
    splits: [],
    apart: [],
    respelt: [],
    explained: [],
    prefix: 'off',
    infix: 'off',
    synonyms: [],
    edits: 0,
  }
}
