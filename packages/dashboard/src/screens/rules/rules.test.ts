import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  categoryPage,
  categorySources,
  inPathOrder,
  levelOf,
  rulesByCategory,
} from './category-page.ts'
import { conflictText } from './conflict-words.ts'
import { moved, orderOf } from './moved.ts'
import {
  filledRule,
  hasActions,
  hidden,
  pinned,
  shownAgain,
  unfilledParts,
  unpinned,
  type RuleValue,
} from './rule-draft.ts'
import {
  effectTexts,
  instantOf,
  localInput,
  previewTime,
  ruleState,
  whenText,
} from './rule-words.ts'

suite('a rule that is edited', () => {
  test('each pin shifts the hits below it by one place', () => {
    const rule = pinned(
      {
        pin: [
          { id: 'a', position: 1 },
          { id: 'b', position: 2 },
          { id: 'c', position: 9 },
        ],
      },
      'x',
      1,
    )
    assert.deepEqual(rule.pin, [
      { id: 'x', position: 1 },
      { id: 'a', position: 2 },
      { id: 'b', position: 3 },
      { id: 'c', position: 9 },
    ])
    const moved = pinned(rule, 'x', 3)
    assert.deepEqual(
      moved.pin?.map(({ id, position }) => `${id}${position}`),
      ['a2', 'x3', 'b4', 'c9'],
    )
  })

  test('a product is pinned or hidden, never both, and empty lists are absent', () => {
    const rule = hidden({ pin: [{ id: 'a', position: 1 }] }, 'a')
    assert.deepEqual(rule, { hide: ['a'] })
    assert.deepEqual(pinned(rule, 'a', 2), { pin: [{ id: 'a', position: 2 }] })
    assert.deepEqual(shownAgain(rule, 'a'), {})
    assert.deepEqual(unpinned({ pin: [{ id: 'a', position: 1 }] }, 'a'), {})
  })

  test('what is begun is not sent, and named', () => {
    const rule = {
      when: [{ match: 'contains', query: ' ' }, { query: 'tent' }, { contexts: [''] }],
      boost: [{ filter_by: '', weight: 2 }],
      schedule: [{}],
      redirect: '',
      remove_words: ['cheap', ' '],
    } as const
    const copy = structuredClone(rule) as unknown as Parameters<typeof filledRule>[0]
    assert.deepEqual(filledRule(copy), { when: [{ query: 'tent' }], remove_words: ['cheap'] })
    assert.deepEqual(unfilledParts(copy), [
      'condition 1',
      'condition 3',
      'boost products',
      'remove words',
      'redirect to a page',
      'schedule',
    ])
    assert.deepEqual(unfilledParts({ banner: { title: ' ' }, metadata: {} }), [
      'show a banner',
      'return custom data',
    ])
  })

  test('a rule without an action that is complete does nothing', () => {
    for (const rule of [{}, { when: [{ query: 'tent' }] }, { redirect: ' ' }, { banner: '' }]) {
      assert.equal(hasActions(rule), false, JSON.stringify(rule))
    }
    for (const rule of [{ hide: ['4'] }, { exact_match_boost: false }, { banner: { id: 5 } }]) {
      assert.equal(hasActions(rule), true, JSON.stringify(rule))
    }
  })
})

suite('a rule in words', () => {
  test('shows the address of a redirect as people read it', () => {
    const shown = (redirect: string) => effectTexts({ redirect })[0]
    assert.equal(
      shown('/demo/search?categories=Outdoor+%3E+Camping'),
      'redirects to /demo/search?categories=Outdoor > Camping',
    )
    assert.equal(shown('https://a.de/k%C3%BCche'), 'redirects to https://a.de/küche')
    assert.equal(shown('/%E0%A4%A?q=%'), 'redirects to /%E0%A4%A?q=%')
  })

  test('names each condition', () => {
    const when = [{ query: 'tent', match: 'contains' as const }, { contexts: ['web'] }]
    assert.match(whenText({ when }), /contains.*tent.*web/)
  })

  test('knows whether it is on, planned or over, and when a preview should look', () => {
    const now = Date.parse('2026-06-15T00:00:00Z')
    const june = { from: '2026-06-01T00:00:00Z', until: '2026-07-01T00:00:00Z' }
    const july = { from: '2026-07-01T00:00:00Z' }
    assert.equal(ruleState({ schedule: [june] }, now), 'on')
    assert.equal(ruleState({ schedule: [july] }, now), 'planned')
    assert.equal(ruleState({ schedule: [{ until: june.from }] }, now), 'ended')
    assert.equal(ruleState({ enabled: false, schedule: [june] }, now), 'off')
    assert.equal(previewTime({ schedule: [june] }, now), undefined)
    assert.equal(previewTime({ schedule: [july] }, now), '2026-07-01T00:00:00.000Z')
    assert.equal(previewTime({ schedule: [{ until: june.from }] }, now), '2026-05-31T23:59:59.999Z')
  })

  test('times of a field have the offset of here, and come back', () => {
    const instant = instantOf('2026-06-01T09:30')
    assert.match(instant!, /^2026-06-01T09:30:00[+-]\d\d:\d\d$/)
    assert.equal(localInput(instant), '2026-06-01T09:30')
    assert.equal(instantOf(''), undefined)
  })
})

suite('category pages', () => {
  test('the rule of a page is found however its filter is written', () => {
    const pages = ['Tents', 'Outdoor > Camping'].map((value) => categoryPage('categories', value))
    const rule = (id: string, when: object[]) => ({ id, value: { when } as RuleValue })
    const found = rulesByCategory(
      [
        rule('a', [{ match: 'empty', filter_by: 'categories:="Tents"' }]),
        rule('b', [{ match: 'empty', filter_by: 'categories:=`Outdoor > Camping`' }]),
        rule('other query', [{ query: 'x', filter_by: 'categories:=Tents' }]),
        rule('some visitors', [
          { match: 'empty', contexts: ['vip'], filter_by: 'categories:=Tents' },
        ]),
        rule('every page', [{ match: 'empty' }]),
      ],
      pages,
    )
    assert.deepEqual(
      pages.map(({ filter }) => found.get(filter)?.map(({ id }) => id)),
      [['a'], ['b']],
    )
  })

  test('categories are in the likeliest field, or in one field per level', () => {
    assert.deepEqual(
      categorySources(['brand', 'kind', 'kind.lvl1', 'kind.lvl0', 'categories', 'colour']).map(
        ({ name, fields }) => [name, fields],
      ),
      [
        ['categories', ['categories']],
        ['kind', ['kind.lvl0', 'kind.lvl1']],
        ['brand', ['brand']],
        ['colour', ['colour']],
      ],
    )
  })

  test('parents come before their children', () => {
    const rows = ['B', 'A > C', 'A B', 'A', 'A > B > C', 'A > B'].map((value) => ({ value }))
    const sorted = inPathOrder(rows).map(({ value }) => value)
    assert.deepEqual(sorted, ['A', 'A > B', 'A > B > C', 'A > C', 'A B', 'B'])
    assert.deepEqual(levelOf('A > B > C'), { depth: 2, label: 'C' })
  })
})

test('a moved rule takes its new place among the others', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 'a', 2), ['b', 'c', 'a'])
  assert.deepEqual(moved(['a', 'b', 'c'], 'c', 0), ['c', 'a', 'b'])
})

test('a draft of the order follows rules that are created and deleted meanwhile', () => {
  assert.deepEqual(orderOf(['new', 'a', 'c'], ['c', 'b', 'a']), ['c', 'a', 'new'])
})

test('a conflict says who wins, by title', () => {
  const claim = (id: string, action: string) => ({ id, title: `Title of ${id}`, action })
  const conflict = {
    subject: 'position' as const,
    key: '1',
    winner: claim('a', 'pins `p` there'),
    loser: claim('b', 'pins `q` there'),
    search: { q: 'x' },
  }
  assert.equal(
    conflictText(conflict, 'b'),
    'Position 1: this rule pins q there, “Title of a” pins p there. “Title of a” wins.',
  )
})
