import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DRAFT_SETTINGS, type RelevanceDraft, type StoreSettings } from '@aisle/contract'
import {
  draftChanges,
  SHOWN_SETTINGS,
  withMeaning,
  withMember,
  withRanking,
  withSetting,
  withWeight,
} from '../../parts/draft-changes.ts'
import { linesOfQueries, queriesFromLines, readJudgedFile } from './query-lines.ts'

suite('queries as text', () => {
  test('lines with weights, each query once, its grades kept', () => {
    const before = [{ q: 'tent', judgments: [{ id: '1', grade: 3 }] }]
    const queries = queriesFromLines(' tent \t12\n\nmug\ntent\n', before)
    assert.deepEqual(queries, [
      { q: 'tent', judgments: [{ id: '1', grade: 3 }], weight: 12 },
      { q: 'mug' },
    ])
    assert.equal(linesOfQueries(queries), 'tent\t12\nmug')
  })

  test('a judged file has commas, semicolons or tabs, quotes and a head', () => {
    const { queries, judgments, faults } = readJudgedFile(
      'query,id,grade\n"tent, red",1,3\n"tent, red",2,0\nmug,3,9\nmug,4,1\nlamp\n',
    )
    assert.deepEqual(queries, [
      {
        q: 'tent, red',
        judgments: [
          { id: '1', grade: 3 },
          { id: '2', grade: 0 },
        ],
      },
      { q: 'mug', judgments: [{ id: '4', grade: 1 }] },
      { q: 'lamp' },
    ])
    assert.equal(judgments, 3)
    assert.deepEqual(faults, ['Line 4: the grade must be 0 to 3'])
    assert.equal(readJudgedFile('{"queries": [{"q": "a"}, "b", 5]}').queries.length, 2)
    assert.equal(readJudgedFile('{').faults.length, 1)
  })
})

suite('a draft', () => {
  const live: StoreSettings['ranking'] = {
    field_weights: { title: 5 },
    sort_by: null,
    min_relevance: 0,
    popularity_weight: 0,
    learning: 'off',
    learning_limit: 0.2,
    numeric: null,
    personalize: null,
    accessories: 'off',
    typo_max: 2,
    typo_min_len_1: 4,
    typo_min_len_2: 7,
    typo_numbers: false,
    prefix_mode: 'always',
    infix_mode: 'off',
    require_all_terms: false,
    exact_match_boost: null,
  }

  test('has what differs from live, and nothing else', () => {
    let draft = withRanking({}, live, 'typo_max', 1)
    draft = withWeight(draft, live, 'title', 8)
    draft = withMember(draft, 'rules', 'old', null)
    assert.deepEqual(draftChanges(draft, live), [
      'Typos per word: 2 → 1',
      'Weight of title: 5 → 8',
      'Rule old: deleted',
    ])
    const numeric = { field: 'margin', weight: 0.2, shape: 'linear' }
    assert.deepEqual(draftChanges({ ranking: { numeric } } as typeof draft, live), [
      'Your own number: default → margin, weight 0.2, shape linear',
    ])
    const others = {
      distinct: { field: 'line' },
      omit_fields: ['cost'],
      presets: { page: { value: {} } },
    }
    assert.deepEqual(draftChanges(others, live), [
      'Variants: line',
      'Hidden fields: cost',
      'Preset page: changed',
    ])
    draft = withRanking(draft, live, 'typo_max', 2)
    draft = withWeight(draft, live, 'title', 5)
    assert.deepEqual(withMember(draft, 'rules', 'old', undefined), {})
  })

  test('every setting of a draft has a control, and what equals the live one does not count', () => {
    // Facets are arranged on their own screen.
    const elsewhere = ['ranking', 'semantic', 'facet_display']
    assert.deepEqual([...SHOWN_SETTINGS, ...elsewhere].toSorted(), DRAFT_SETTINGS.toSorted())
    const settings = {
      distinct: { field: 'line', limit: 1 },
      omit_fields: [],
      interpretation: { mode: 'off', price_field: null, fields: null },
    } as unknown as StoreSettings
    const set = (from: RelevanceDraft, path: string, value: unknown) =>
      withSetting(from, settings, path, value)
    let draft = set({}, 'distinct.field', null)
    assert.deepEqual(draft, { distinct: null })
    assert.deepEqual(draftChanges(draft, live), ['Variants: default'])
    draft = set(draft, 'distinct.field', 'brand')
    draft = set(draft, 'omit_fields', ['cost'])
    draft = set(draft, 'interpretation.mode', 'apply')
    assert.deepEqual(draft, {
      distinct: { field: 'brand' },
      omit_fields: ['cost'],
      interpretation: { mode: 'apply' },
    })
    draft = set(draft, 'distinct.field', 'line')
    draft = set(draft, 'omit_fields', null)
    assert.deepEqual(set(draft, 'interpretation.mode', 'off'), {})
  })

  test('meaning: what equals the live setting does not count', () => {
    const live = {
      embedder: 'small',
      fields: null,
      weight: 0.3,
      questions: true,
      min_similarity: null,
    } as NonNullable<StoreSettings['semantic']>
    const more = withMeaning({}, live, 'weight', 0.6)
    assert.deepEqual(more, { semantic: { weight: 0.6 } })
    assert.deepEqual(draftChanges(more, {} as StoreSettings['ranking']), ['Weight of meaning: 0.6'])
    assert.deepEqual(withMeaning(more, live, 'weight', 0.3), {})
  })
})
