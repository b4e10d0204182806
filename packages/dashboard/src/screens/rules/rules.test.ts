import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { conflictsByRule } from './rule-conflicts.ts'
import {
  filledRule,
  hasActions,
  hidden,
  pinned,
  shownAgain,
  unfilledParts,
  unpinned,
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

suite('conflicts', () => {
  test('name what two rules want differently, and who wins', () => {
    const found = conflictsByRule([
      { id: 'a', value: { when: [{ query: 'tent' }], hide: ['4'] } },
      {
        id: 'b',
        value: {
          priority: 5,
          when: [{ query: 'Tent', match: 'contains' }],
          pin: [{ id: '4', position: 1 }],
        },
      },
    ])
    const [{ text, ...conflict } = { text: '' }, ...more] = found.get('a') ?? []
    assert.deepEqual(conflict, { ruleId: 'a', otherId: 'b', isOverruled: true })
    assert.match(text, /4.*b/)
    assert.equal(more.length, 0)
    assert.equal(found.get('b')?.[0]?.isOverruled, false)
  })

  test('are only seen between rules that one search can meet', () => {
    const one = { id: 'a', value: { when: [{ query: 'tent' }], redirect: '/a' } }
    const others = [
      { id: 'b', value: { when: [{ query: 'stove' }], redirect: '/b' } },
      { id: 'c', value: { enabled: false, redirect: '/c' } },
      { id: 'd', value: { when: [{ match: 'empty' as const }], redirect: '/d' } },
      { id: 'e', value: { when: [{ query: 'tent' }], redirect: '/a' } },
    ]
    assert.equal(conflictsByRule([one, ...others]).get('a'), undefined)
    const always = { id: 'f', value: { redirect: '/f' } }
    assert.equal(conflictsByRule([one, always]).get('a')?.length, 1)
  })
})
