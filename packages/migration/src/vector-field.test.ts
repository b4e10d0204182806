import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { documentWriter } from './document-writer.ts'
import type { Material } from './material.ts'
import { migrate, type Engine } from './migrate.ts'

const NUMBERS = Array.from({ length: 8 }, (_, i) => i / 8)

function migrated(engine: Engine, material: Material) {
  const migration = migrate(engine, material)
  const lines = material.sample.map(documentWriter(migration).write)
  return {
    fields: (migration.configuration.schema ?? []).filter(({ type }) => type === 'vector'),
    documents: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    notes: migration.notes.map(({ about, note }) => `${about} ${note}`).join('\n'),
  }
}

suite('vectors of another engine', () => {
  test('of Typesense keep their length and metric, also those that a model made', () => {
    const { fields, documents, notes } = migrated('typesense', {
      sample: [JSON.stringify({ id: '1', title: 'Tent', seen: NUMBERS, made: NUMBERS })],
      parts: {
        collection: {
          fields: [
            { name: 'title', type: 'string' },
            { name: 'seen', type: 'float[]', num_dim: 8, vec_dist: 'ip' },
            { name: 'made', type: 'float[]', num_dim: 8, embed: { from: ['title'] } },
            { name: 'short', type: 'float[]', num_dim: 3 },
          ],
        },
      },
    })
    assert.deepEqual(fields, [
      { name: 'seen', type: 'vector', dimensions: 8, metric: 'dot' },
      { name: 'made', type: 'vector', dimensions: 8 },
    ])
    assert.deepEqual(documents, [{ id: '1', title: 'Tent', seen: NUMBERS, made: NUMBERS }])
    assert.match(notes, /field made has the vectors that a model made there/)
    assert.match(notes, /field short is left out: a vector has 8 to 4096 dimensions/)
  })

  test('of Meilisearch become a field for each embedder, with its first vector', () => {
    const _vectors = {
      manual: NUMBERS,
      model: { embeddings: [NUMBERS, NUMBERS.toReversed()], regenerate: true },
      odd: null,
    }
    const { fields, documents } = migrated('meilisearch', {
      sample: [JSON.stringify({ id: 1, title: 'Tent', sizes: NUMBERS, _vectors })],
      parts: {
        settings: { searchableAttributes: ['*'], embedders: { model: { source: 'rest' } } },
        index: {},
      },
    })
    assert.deepEqual(fields, [
      { name: '_vectors.manual', type: 'vector', dimensions: 8 },
      { name: '_vectors.model', type: 'vector', dimensions: 8 },
    ])
    assert.deepEqual(documents[0]!['_vectors'], { manual: NUMBERS, model: NUMBERS })
    assert.deepEqual(documents[0]!['sizes'], NUMBERS)
  })

  test('of OpenSearch and Elasticsearch keep their length; distances become cosine, with a note', () => {
    const { fields, documents, notes } = migrated('opensearch', {
      sample: [JSON.stringify({ _id: '1', _source: { title: 'Tent', v: NUMBERS, w: NUMBERS } })],
      parts: {
        index: {
          mappings: {
            properties: {
              title: { type: 'text' },
              v: { type: 'knn_vector', dimension: 8, method: { name: 'hnsw', engine: 'lucene' } },
              w: { type: 'dense_vector', dims: 8, similarity: 'dot_product', index: true },
              x: { type: 'knn_vector', dimension: 8, space_type: 'cosinesimil' },
            },
          },
        },
      },
    })
    assert.deepEqual(fields, [
      { name: 'v', type: 'vector', dimensions: 8 },
      { name: 'w', type: 'vector', dimensions: 8, metric: 'dot' },
      { name: 'x', type: 'vector', dimensions: 8 },
    ])
    assert.deepEqual(documents, [{ id: '1', title: 'Tent', v: NUMBERS, w: NUMBERS }])
    assert.match(notes, /field v is compared by cosine instead of `l2`/)
  })
})
