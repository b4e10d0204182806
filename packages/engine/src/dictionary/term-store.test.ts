import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FORMS_PER_GROUP_MAX, packTerms, TermReader, TermWriter } from './term-store.ts'

const stem = (form: string): string => form.replace(/(?:ning|s)$/, '')

suite('term store', () => {
  test('forms with one stem are one group with numbered forms', () => {
    const terms = new TermWriter()
    const [run, runs, shoes] = ['run', 'runs', 'shoes'].map((form) => terms.intern(form, stem))
    assert.equal(terms.groupOf(run!), terms.groupOf(runs!))
    assert.notEqual(terms.groupOf(run!), terms.groupOf(shoes!))
    assert.notEqual(terms.numberOf(run!), terms.numberOf(runs!))
    assert.deepEqual(new Set(terms.formsOf(terms.groupOf(run!))), new Set([run, runs]))
    assert.equal(terms.intern('runs', stem), runs, 'known forms keep their id')
  })

  test('a string that is only a stem is not a form, until it is', () => {
    const terms = new TermWriter()
    const shoes = terms.intern('shoes', stem)
    const reader = new TermReader(terms.handles())
    const group = terms.groupOf(shoes)
    assert.equal(reader.text(group), 'shoe')
    assert.equal(reader.groupOf(group), -1)
    assert.equal(terms.find('shoe'), -1)
    assert.equal(terms.intern('shoe', stem), group)
    assert.equal(terms.find('shoe'), group)
    assert.equal(terms.groupOf(group), group)
  })

  test('forms past the maximum of a group become separate groups', () => {
    const terms = new TermWriter()
    const forms = Array.from({ length: FORMS_PER_GROUP_MAX + 5 }, (_, i) => `form${i}`)
    const ids = forms.map((form) => terms.intern(form, () => 'form'))
    const group = terms.groupOf(ids[0]!)
    assert.equal(terms.formsOf(group).length, FORMS_PER_GROUP_MAX)
    for (const id of ids) assert.ok(terms.numberOf(id) < FORMS_PER_GROUP_MAX)
    const alone = ids.slice(FORMS_PER_GROUP_MAX)
    assert.deepEqual(
      alone.map((id) => terms.groupOf(id)),
      alone,
    )
  })

  test('existing readers see new frequencies', () => {
    const terms = new TermWriter()
    const runs = terms.intern('runs', stem)
    const reader = new TermReader(terms.handles())
    terms.addFormDocFreq(runs, 3)
    terms.addGroupDocFreq(terms.groupOf(runs), 4)
    terms.addFormDocFreq(runs, -1)
    assert.equal(reader.formDocFreq(runs), 2)
    assert.equal(reader.groupDocFreq(terms.groupOf(runs)), 4)
  })

  test('a frequency or an id above 16 bits widens the rows without loss', () => {
    const many = new TermWriter()
    const form = many.intern('runs', stem)
    many.addFormDocFreq(form, 0x7fff)
    const before = many.handles()
    assert.ok(before.isNarrow)
    many.addFormDocFreq(form, 1)
    many.addGroupDocFreq(many.groupOf(form), 7)
    const after = new TermReader(many.handles())
    assert.equal(after.formDocFreq(form), 0x8000)
    assert.equal(after.groupDocFreq(many.groupOf(form)), 7)
    assert.equal(after.groupOf(form), many.groupOf(form))
    assert.equal(new TermReader(before).formDocFreq(form), 0x7fff, 'readers keep what they had')

    const long = new TermWriter()
    const forms = Array.from({ length: 0x8002 }, (_, i) => long.intern(`w${i}`, (text) => text))
    assert.equal(long.handles().isNarrow, false)
    const reader = new TermReader(long.handles())
    for (const id of forms) assert.equal(reader.groupOf(id), id)
    const again = TermWriter.fromPacked(packTerms(long.frozen()))
    assert.equal(again.handles().isNarrow, false)
    assert.equal(TermWriter.fromPacked(packTerms(before)).handles().isNarrow, true)
  })

  test('frozen terms are a snapshot with frequencies, and accept more', () => {
    const terms = new TermWriter()
    for (let i = 0; i < 200; i++) terms.intern(`w${i % 90}${i % 2 === 0 ? 's' : ''}`, stem)
    const { count } = terms
    const [form] = terms.formsOf(terms.groupOf(terms.find('w8s')))
    terms.addFormDocFreq(form!, 5)
    const frozen = terms.frozen()
    terms.addFormDocFreq(form!, 2)
    // New forms of old groups: readers of the snapshot must not follow their links.
    for (let i = 0; i < 90; i++) terms.intern(`w${i}ning`, stem)
    const copy = TermWriter.fromPacked(packTerms(frozen))
    assert.equal(copy.count, count)
    const reader = new TermReader(copy.handles())
    for (let id = 0; id < count; id++) {
      assert.equal(copy.text(id), terms.text(id))
      const group = terms.groupOf(id)
      if (group >= 0 && terms.find(terms.text(id)) === id) {
        assert.equal(copy.groupOf(id), group)
        assert.equal(copy.numberOf(id), terms.numberOf(id))
        assert.ok(copy.formsOf(group).includes(id))
      }
      assert.equal(reader.formDocFreq(id), id === form ? 5 : 0)
      for (const other of copy.formsOf(id)) assert.ok(other < count)
    }
    assert.equal(copy.find('w8ning'), -1)
    assert.equal(copy.intern('w8ning', stem), count)
    assert.equal(copy.groupOf(count), copy.groupOf(copy.find('w8s')))
  })
})
