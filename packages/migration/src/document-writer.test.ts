import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { documentWriter } from './document-writer.ts'
import { MigrationDraft } from './migration.ts'
import { SourceError } from './source-error.ts'

function writer() {
  const draft = new MigrationDraft()
  draft.idMember = 'sku'
  draft.addField({ path: 'title', field: { type: 'string' } })
  draft.addField({ path: 'id', field: { type: 'string' } })
  draft.addObject('specs', 'object[]')
  draft.addField({ path: 'specs.color', field: { type: 'string' } })
  draft.addField({ path: 'brand.name', field: { type: 'string' } })
  draft.addPattern('brand', { facet: true })
  draft.addField({ path: 'added', field: { type: 'date' }, convert: 'milliseconds' })
  draft.addField({ path: 'stock', field: { type: 'int64' } })
  return documentWriter(draft.finish())
}

suite('a document of another engine', () => {
  test('keeps its objects, its id, and all digits', () => {
    const { write, leftOut } = writer()
    const line = write(
      '{"sku":7,"id":"inner","title":5,"specs":[{"color":"red","w":1},{"color":7},null],"brand":{"name":"Fells","no":9007199254740993,"x.y":1},"added":"2024-03-01T00:00:00Z","stock":9007199254740993,"extra":1}',
    )
    assert.equal(
      line,
      '{"id":"7","id_":"inner","title":"5","specs":[{"color":"red"},{"color":"7"}],"brand":{"name":"Fells","no":9007199254740993},"added":"2024-03-01T00:00:00Z","stock":9007199254740993}',
    )
    assert.deepEqual(
      [...leftOut],
      [
        ['specs.w', 1],
        ['brand.x.y', 1],
        ['extra', 1],
      ],
    )
  })

  test('gets objects for names with dots, and a list of one for a single object', () => {
    const { write } = writer()
    assert.equal(
      write('{"sku":"a","brand.name":"x","brand.town":"y","specs":{"color":"red"}}'),
      '{"id":"a","specs":[{"color":"red"}],"brand":{"name":"x","town":"y"}}',
    )
    assert.equal(write('{"sku":"a","brand":"x","brand.name":"y"}'), '{"id":"a","brand":"x"}')
  })

  test('gets seconds for milliseconds, and keeps invalid dates', () => {
    const { write } = writer()
    assert.match(write('{"sku":"a","added":1709251200999}'), /"added":1709251200.999/)
    assert.match(write('{"sku":"a","added":"Fri, 01 Mar 2024 00:00:00 GMT"}'), /"2024-03-01T00:00/)
    assert.match(write('{"sku":"a","added":"soon"}'), /"added":"soon"/)
  })

  test('gets places from every form, and keeps invalid ones', () => {
    const draft = new MigrationDraft()
    draft.addField({ path: 'a', field: { type: 'geopoint' } })
    draft.addField({ path: 'b', field: { type: 'geopoint' }, convert: 'lon_lat' })
    draft.addField({ path: 'c', field: { type: 'geopoint[]' } })
    const { write } = documentWriter(draft.finish())
    for (const [source, line] of [
      ['"a":[48.85,2.35]', '"a":[48.85,2.35]'],
      ['"a":{"lat":48.85,"lng":2.350}', '"a":{"lat":48.85,"lon":2.350}'],
      ['"a":{"lat":"48.85","lng":"2.35"}', '"a":{"lat":48.85,"lon":2.35}'],
      ['"b":[2.35,48.85]', '"b":[48.85,2.35]'],
      ['"b":"48.85, 2.35"', '"b":{"lat":48.85,"lon":2.35}'],
      ['"b":"POINT (2.35 48.85)"', '"b":{"lat":48.85,"lon":2.35}'],
      ['"b":{"type":"Point","coordinates":[2.35,48.85]}', '"b":[48.85,2.35]'],
      ['"b":"u09tvw0"', '"b":"u09tvw0"'],
      ['"c":{"lat":1,"lng":2}', '"c":[{"lat":1,"lon":2}]'],
      ['"c":[{"lat":1,"lng":2},{"lat":3,"lng":4}]', '"c":[{"lat":1,"lon":2},{"lat":3,"lon":4}]'],
      ['"c":[[1,2],[3,4]]', '"c":[[1,2],[3,4]]'],
      ['"c":[1,2]', '"c":[[1,2]]'],
    ]) {
      assert.equal(write(`{"id":"x",${source}}`), `{"id":"x",${line}}`)
    }
  })

  test('without an id is refused, and so is anything else', () => {
    const { write } = writer()
    for (const wrong of ['{"title":"x"}', '{"sku":""}', '[]', '{', '7']) {
      assert.throws(() => write(wrong), SourceError, wrong)
    }
  })

  test('may be nested to any depth, and have members of any name', () => {
    const { write } = writer()
    const deep = `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`
    assert.equal(write(`{"sku":"d","x":${deep},"__proto__":{"title":"y"}}`), '{"id":"d"}')
  })
})
