import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { BatchForms } from './batch-forms.ts'
import { TermWriter } from './term-store.ts'

const stemOf = (form: string): string => form.replace(/s$/, '')

function internedAtOnce(steps: ReturnType<TermWriter['internBatch']>): Uint32Array {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** Few letters, so that forms repeat; some are long, some not ASCII. */
const arbitraryForms = fc.array(
  fc.oneof(
    fc.stringMatching(/^[abs]{1,4}$/),
    fc.string({ minLength: 1, maxLength: 300 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
  ),
)

suite('forms of a batch', () => {
  test('are numbered in order of appearance and interned as one by one', () => {
    const forms = new BatchForms()
    const batches = fc.array(arbitraryForms, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(batches, (batches) => {
        const together = new TermWriter()
        const apart = new TermWriter()
        for (const batch of batches) {
          forms.clear()
          const numbers = batch.map((form) => forms.intern(form))
          const distinct = [...new Set(batch)]
          assert.deepEqual(
            numbers,
            batch.map((form) => distinct.indexOf(form)),
          )
          const ids = internedAtOnce(together.internBatch(forms, stemOf))
          assert.deepEqual(
            [...ids],
            distinct.map((form) => apart.intern(form, stemOf)),
          )
        }
        const texts = (terms: TermWriter) =>
          Array.from({ length: terms.count }, (_, id) => [terms.text(id), terms.groupOf(id)])
        assert.deepEqual(texts(together), texts(apart))
      }),
    )
  })

  test('grow past their initial capacity', () => {
    const forms = new BatchForms()
    const texts = Array.from({ length: 10_000 }, (_, i) => `form ${i}`)
    for (const [i, text] of texts.entries()) assert.equal(forms.intern(text), i)
    for (const [i, text] of texts.entries()) assert.equal(forms.intern(text), i)
    assert.equal(forms.count, texts.length)
  })
})
