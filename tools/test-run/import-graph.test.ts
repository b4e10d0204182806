import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ImportGraph } from './import-graph.ts'

const FILES: Readonly<Record<string, string>> = {
  'packages/one/package.json':
    '{"name":"@aisle/one","exports":{".":"./src/index.ts","./naive/*":"./src/naive/*.ts"}}',
  'packages/one/src/index.ts':
    "export { encode, type Code } from './codec.ts'\nexport { find as search } from './search.ts'",
  'packages/one/src/codec.ts': '',
  'packages/one/src/search.ts': "import { encode } from './codec.ts'",
  'packages/one/src/plan.ts': "import type { Code } from './codec.ts'",
  'packages/one/src/naive/twin.ts': '',
  'packages/two/src/app.ts':
    "import {\n  search,\n  type Code,\n} from '@aisle/one'\nnew URL('./thread.ts', import.meta.url)",
  'packages/two/src/thread.ts': "import { twin } from '@aisle/one/naive/twin'",
  'packages/two/src/app.test.ts': "const { app } = await import('./app.ts')",
  'tools/page.test.ts': "read('docs/of-one.md')\nstart(REPOSITORY, 'two/src/app.ts')",
}
const paths = [...Object.keys(FILES), 'docs/of-one.md', 'docs/of-one.test.md']
const sources = Object.entries(FILES).map(([path, text]) => ({ path, text }))
const graph = new ImportGraph(paths, sources)
const reached = (...changed: string[]): Record<string, number> =>
  Object.fromEntries(graph.distancesTo(changed))

suite('who uses a file', () => {
  test('are those that import it, by the names that they take from a package', () => {
    assert.deepEqual(reached('packages/one/src/search.ts'), {
      'packages/one/src/search.ts': 0,
      'packages/one/src/index.ts': 1,
      'packages/two/src/app.ts': 1,
      'packages/two/src/app.test.ts': 2,
      'tools/page.test.ts': 2,
    })
    assert.equal(reached('packages/one/src/codec.ts')['packages/two/src/app.ts'], 2)
    assert.equal(reached('packages/one/src/codec.ts')['packages/one/src/plan.ts'], undefined)
  })

  test('are those that start it as a thread, and those that name it', () => {
    const ofTwin = reached('packages/one/src/naive/twin.ts')
    assert.equal(ofTwin['packages/two/src/app.ts'], 2)
    assert.deepEqual(reached('docs/of-one.md'), { 'docs/of-one.md': 0, 'tools/page.test.ts': 1 })
  })
})
