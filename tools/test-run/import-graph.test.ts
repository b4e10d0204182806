import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ImportGraph } from './import-graph.ts'

const FILES: Readonly<Record<string, string>> = {
  'packages/engine/package.json':
    '{"name":"@aisle/engine","exports":{".":"./src/index.ts","./naive/*":"./src/naive/*.ts"}}',
  'packages/engine/src/index.ts':
    "export { encode, type Code } from './codec.ts'\nexport { find as search } from './search.ts'",
  'packages/engine/src/codec.ts': '',
  'packages/engine/src/search.ts': "import { encode } from './codec.ts'",
  'packages/engine/src/plan.ts': "import type { Code } from './codec.ts'",
  'packages/engine/src/naive/twin.ts': '',
  'packages/server/src/app.ts':
    "import {\n  search,\n  type Code,\n} from '@aisle/engine'\nnew URL('./thread.ts', import.meta.url)",
  'packages/server/src/thread.ts': "import { twin } from '@aisle/engine/naive/twin'",
  'packages/server/src/app.test.ts': "const { app } = await import('./app.ts')",
  'tools/page.test.ts': "read('docs/search.md')\nstart(REPOSITORY, 'server/src/app.ts')",
}
const paths = [...Object.keys(FILES), 'docs/search.md', 'docs/search.test.md']
const sources = Object.entries(FILES).map(([path, text]) => ({ path, text }))
const graph = new ImportGraph(paths, sources)
const reached = (...changed: string[]): Record<string, number> =>
  Object.fromEntries(graph.distancesTo(changed))

suite('who uses a file', () => {
  test('are those that import it, by the names that they take from a package', () => {
    assert.deepEqual(reached('packages/engine/src/search.ts'), {
      'packages/engine/src/search.ts': 0,
      'packages/engine/src/index.ts': 1,
      'packages/server/src/app.ts': 1,
      'packages/server/src/app.test.ts': 2,
      'tools/page.test.ts': 2,
    })
    assert.equal(reached('packages/engine/src/codec.ts')['packages/server/src/app.ts'], 2)
    assert.equal(reached('packages/engine/src/codec.ts')['packages/engine/src/plan.ts'], undefined)
  })

  test('are those that start it as a thread, and those that name it', () => {
    const ofTwin = reached('packages/engine/src/naive/twin.ts')
    assert.equal(ofTwin['packages/server/src/app.ts'], 2)
    assert.deepEqual(reached('docs/search.md'), { 'docs/search.md': 0, 'tools/page.test.ts': 1 })
  })
})
