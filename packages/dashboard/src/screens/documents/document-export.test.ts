import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { exportedCsvLine } from './document-export.ts'

suite('products as a table', () => {
  test('keep their digits, their lists and their quotes', () => {
    const line =
      '{"id":"a,b","data":{"title":"12\\" pan","n":12345678901234567890,"tags":["x","y z"],"sold":true,"none":null}}'
    const fields = ['title', 'n', 'tags', 'sold', 'none', 'absent']
    assert.equal(
      exportedCsvLine(line, fields),
      '"a,b","12"" pan",12345678901234567890,x|y z,true,,',
    )
  })

  test('have what is inside of objects by its path, of lists all of it', () => {
    const line = '{"id":"1","data":{"box":{"w":3},"v":[{"c":"red"},{},{"c":"blue"}],"a.b":"x"}}'
    const fields = ['box.w', 'v.c', 'a.b', 'box.h', 'id.x']
    assert.equal(exportedCsvLine(line, fields), '1,3,red|blue,x,,')
  })

  test('begin no formula', () => {
    assert.equal(exportedCsvLine('{"id":"1","data":{"t":"=1+1","n":-5}}', ['t', 'n']), "1,'=1+1,-5")
  })
})
