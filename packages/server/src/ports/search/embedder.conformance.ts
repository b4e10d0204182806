import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Embedder } from './embedder.ts'

const NEVER = new AbortController().signal

/** Texts with a known order of meaning, for any model that knows the words of the fixture. */
const NEAR = ['gas stove', 'camping stove', 'cotton shirt'] as const

/**
 * Every Embedder must pass this; each adapter calls it from its own test file, over a model that
 * knows the words of `NEAR`.
 */
export function embedderConformance(
  name: string,
  create: () => Promise<Embedder & AsyncDisposable>,
  skip: string | false = false,
): void {
  suite(`${name} conforms to Embedder`, { skip }, () => {
    test('every text has a vector of length 1, in the order of the texts', async () => {
      await using embedder = await create()
      const texts = [...NEAR, 'gas stove']
      const vectors = await embedder.embed(texts, 'document', NEVER)
      assert.equal(vectors.length, 4)
      for (const vector of vectors) {
        assert.ok(vector instanceof Float32Array)
        assert.equal(vector.length, embedder.dimensions)
        assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5)
      }
      assertNear(vectors[0], vectors[3])
      assert.ok(dot(vectors[0], vectors[1]) > dot(vectors[0], vectors[2]))
    })

    test('a text has one vector, whatever is asked beside it', async () => {
      await using embedder = await create()
      const many = await embedder.embed([...NEAR, 'stove '.repeat(50)], 'document', NEVER)
      for (const [i, text] of NEAR.entries()) {
        const [alone] = await embedder.embed([text], 'document', NEVER)
        assertNear(alone, many[i])
      }
    })

    test('more texts than fit into one turn or request come back in order', async () => {
      await using embedder = await create()
      const texts = Array.from({ length: 256 }, (_, i) => NEAR[i % 3]!)
      const vectors = await embedder.embed(texts, 'document', NEVER)
      for (const i of [3, 128, 254]) assertNear(vectors[i], vectors[i % 3])
    })

    test('any text has a vector or is refused: long, odd, foreign', async () => {
      await using embedder = await create()
      const texts = [' ', '\0', '🏔️'.repeat(500), 'stove '.repeat(20_000), '[PAD]', '\ud800', 'אבג']
      const vectors = await embedder.embed(texts, 'query', NEVER)
      assert.equal(vectors.length, texts.length)
      for (const vector of vectors) {
        if (vector !== undefined) assert.ok(vector.every((value) => Number.isFinite(value)))
      }
      assert.ok(vectors[3], 'a long text is cut')
    })

    test('an aborted call is rejected with the reason, and the next one works', async () => {
      await using embedder = await create()
      const abort = new AbortController()
      const texts = Array.from({ length: 256 }, () => 'gas stove')
      const call = embedder.embed(texts, 'document', abort.signal)
      abort.abort(new Error('given up'))
      await assert.rejects(call, /given up/)
      const before = embedder.embed(['stove'], 'query', AbortSignal.abort(new Error('before')))
      await assert.rejects(before, /before/)
      assert.equal((await embedder.embed(['stove'], 'query', NEVER)).length, 1)
    })
  })
}

function assertNear(a: Float32Array | undefined, b: Float32Array | undefined): void {
  assert.ok(dot(a, b) > 0.999, `cosine ${dot(a, b)}`)
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  assert.ok(a && b)
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
