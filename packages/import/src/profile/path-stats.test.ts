import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PathStats } from './path-stats.ts'

/** Names below several parents, as in most shops of clothes. */
const REPEATED = [
  ['Men', 'Shoes', 'Boots'],
  ['Women', 'Shoes', 'Boots'],
  ['Men', 'Shoes', 'Sandals'],
  ['Women', 'Shoes', 'Sandals'],
  ['Men', 'Tops', 'Shirts'],
  ['Women', 'Tops', 'Shirts'],
]

function isTree(mark: '>' | '/', isCategory: boolean): boolean {
  const stats = new PathStats(mark)
  for (const names of REPEATED) stats.add(names.join(` ${mark} `))
  return stats.isTree(REPEATED.length, isCategory)
}

suite('paths of categories', () => {
  test('names below several parents make a tree only in a category column with ">"', () => {
    assert.equal(isTree('>', true), true)
    assert.equal(isTree('>', false), false)
    assert.equal(isTree('/', true), false)
  })

  test('in a category column with ">", most values must be paths all the same', () => {
    const stats = new PathStats('>')
    stats.add('Men > Shoes')
    for (let i = 0; i < 9; i++) stats.add(`Shoes ${i}`)
    assert.equal(stats.isTree(10, true), false)
  })
})
