import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { DocumentWrite, WriteOutcome } from '../../ports/catalog/catalog-writer.ts'
import { DIGEST_BYTES, partEntries, PartWriter } from '../../domain/documents/source-parts.ts'
import type { ChangedDocument, ComparedRows } from '../../ports/catalog/source-readings.ts'
import type { SourcePorts } from './source-ports.ts'
import { SourceWrites } from './source-writes.ts'

const UNKNOWN = '0'.repeat(2 * DIGEST_BYTES)
/** The store refuses it. */
const BAD_TEXT = 3

/** A document by number, with one of a few texts. */
const row = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: BAD_TEXT }))
const rows = fc.array(row, { maxLength: 4 })
const delays = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 7, maxLength: 7 })

suite('the writes of a source', () => {
  test('are described at every moment, however long each step takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { maxLength: 30 }), delays, async (batches, turns) => {
        const world = new World(turns)
        const writes = new SourceWrites(world.ports, 'shop', { id: 'g', content: 'c' }, () => {})
        for (const batch of batches) await writes.add(batchOf(batch))
        await writes.end()
        const latest = new Map<string, string>()
        for (const [id, text] of batches.flat()) {
          if (text !== BAD_TEXT) latest.set(`p${id}`, digestOf(text))
        }
        assert.deepEqual(world.stored, latest)
        const refused = new Set(batches.flat().map(([id]) => `p${id}`))
        for (const [id, digest] of world.described()) {
          refused.delete(id)
          if (digest !== UNKNOWN) assert.equal(digest, latest.get(id))
        }
        assert.deepEqual([...refused], [])
      }),
      { numRuns: 200 },
    )
  })

  test('end with the error of the journal, and leave out what had not begun', async () => {
    const world = new World([1])
    world.partsMax = 2
    const writes = new SourceWrites(world.ports, 'shop', { id: 'g', content: 'c' }, () => {})
    const all = async (): Promise<void> => {
      for (let i = 0; i < 50; i++) await writes.add(batchOf([[i, 0]]))
      await writes.end()
    }
    await assert.rejects(all, /disk is full/)
    await writes.stop()
    const written = world.stored.size
    await turn()
    assert.equal(world.stored.size, written)
    assert.ok(written < 50)
  })
})

/** A journal and a store that take their time, and that may be killed at any moment. */
class World {
  readonly stored = new Map<string, string>()
  partsMax = Infinity
  readonly #parts = new Map<number, Uint8Array>()
  readonly #turns: readonly number[]
  #steps = 0

  constructor(turns: readonly number[]) {
    this.#turns = turns
  }

  get ports(): Pick<SourcePorts, 'edits' | 'writer'> {
    const edits = {
      putPart: async (_: string, number: number, bytes: Uint8Array) => {
        const copy = new Uint8Array(bytes)
        await this.#pass()
        if (number >= this.partsMax) throw new Error('The disk is full')
        this.#parts.set(number, copy)
        this.#check()
      },
    }
    const writer = {
      writeDocuments: async (_: string, writes: readonly DocumentWrite[]) => {
        const outcomes = writes.map(({ id, json }): WriteOutcome => {
          const text = Number(Buffer.from(json).toString())
          if (text === BAD_TEXT) {
            return {
              status: 'failed',
              id: id!,
              code: 'invalid_type',
              message: 'refused',
              details: [],
            }
          }
          this.stored.set(id!, digestOf(text))
          return { status: 'updated', id: id! }
        })
        this.#check()
        await this.#pass()
        return outcomes
      },
    }
    return { edits, writer } as unknown as Pick<SourcePorts, 'edits' | 'writer'>
  }

  /** What the next run would know: parts up to the first gap, later ones replace earlier ones. */
  described(): Map<string, string> {
    const known = new Map<string, string>()
    for (let number = 0; this.#parts.has(number); number++) {
      const part = this.#parts.get(number)!
      for (const { id, digestAt } of partEntries(part)) {
        const digest = part.subarray(digestAt, digestAt + DIGEST_BYTES)
        known.set(id, Buffer.from(digest).toString('hex'))
      }
    }
    return known
  }

  /** A kill now forgets no document, and none that was not written is taken for written. */
  #check(): void {
    const known = this.described()
    for (const id of this.stored.keys()) assert.ok(known.has(id), `"${id}" is forgotten`)
    for (const [id, digest] of known) {
      if (digest !== UNKNOWN) assert.equal(this.stored.get(id), digest, `"${id}" is believed in`)
    }
  }

  async #pass(): Promise<void> {
    const turns = this.#turns[this.#steps++ % this.#turns.length]!
    for (let i = 0; i < turns; i++) await turn()
  }
}

function batchOf(texts: readonly (readonly [id: number, text: number])[]): ComparedRows {
  const part = new PartWriter()
  const changed = texts.map(([id, text], i): ChangedDocument => {
    const digestAt = part.add(`p${id}`, Buffer.from(digestOf(text), 'hex'))
    return { id: `p${id}`, json: Buffer.from(String(text)), isNew: true, row: i, digestAt }
  })
  const counts = { rows: texts.length, bytes: 1, unchanged: 0 }
  return { kind: 'rows', ...counts, changed, refused: [], part: part.take() }
}

function digestOf(text: number): string {
  return String(text + 1).repeat(2 * DIGEST_BYTES)
}
