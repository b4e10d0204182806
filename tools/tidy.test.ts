import assert from 'node:assert/strict'
import { posix } from 'node:path'
import test, { suite } from 'node:test'
import { citedFiles, namesFile } from './lib/cited-files.ts'
import { importProblem, isTestFile } from './lib/dependency-rules.ts'
import { foldersInTables, foldersInTree } from './lib/folder-tables.ts'
import { importCircles } from './lib/import-circles.ts'
import { codeOnly, importsOf, lineAt, readSource, repositoryFiles } from './lib/source-files.ts'
import type { SourceFile } from './lib/source-files.ts'

/** Past this a file holds two ideas (CONTRIBUTING.md). */
const FILE_LINES_MAX = 450
/** Columns: the formatter breaks code at this width and leaves comments alone. */
const LINE_WIDTH_MAX = 100

/** Files that may read the clock: everything else takes the time from its caller or from a port. */
const CLOCK_FILES =
  /^(tools|bench|packages\/dashboard\/build)\/|\/(main|config|clock|system-clock)\.ts$|\/threads\/|^packages\/cluster\/src\/node\//
/** Code that reads no clock at all: no time of day, and no time that has passed. */
const UNTIMED_FILES =
  /^packages\/(contract|client|event-log|suggestions)\/|^packages\/server\/src\/(domain|ports)\/|^packages\/engine\/src\/(?!indexer\/index-maintenance|search\/.*deadline)/

/** Tests in which a real wait is the subject, and why; in the order of their paths. */
const SLEEPING_TESTS: Readonly<Record<string, string>> = {
  'bench/bench.test.ts': 'a server that answers late',
  'packages/cluster/src/documents/moves.test.ts': 'pauses between passes of the keeper',
  'packages/server/src/adapters/duckdb/sql-session.test.ts': 'a statement that is interrupted',
  'packages/server/src/http/test/slow-peers.test.ts': 'a peer that is slow',
  'packages/server/src/ports/catalog/language.conformance.ts': 'pauses between writes',
  'packages/server/src/threads/stop-signals.test.ts': 'a signal some time after the start',
}

/** Files that may read the environment. */
const ENVIRONMENT_FILES =
  /^(tools|bench|examples|packages\/dashboard\/build)\/|^packages\/(server\/entry|(server|cli)\/src)\/(main|npm-start|config)\.ts$/

const paths = repositoryFiles()
const sources = paths.filter((path) => /\.tsx?$/.test(path)).map(readSource)
const shipped = sources.filter(
  (file) => file.path.startsWith('packages/') && !isTestFile(file.path),
)

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifests = paths
  .filter((path) => /(^|\/)package\.json$/.test(path))
  .map((path) => ({ path, manifest: JSON.parse(readSource(path).text) as Manifest }))

function dependenciesOf(packageName: string): string[] {
  const found = manifests.find(({ path }) => path === `packages/${packageName}/package.json`)
  const { dependencies, devDependencies, optionalDependencies } = found?.manifest ?? {}
  // The dashboard is built: its dependencies are not installed where it runs.
  const built = packageName === 'dashboard' ? devDependencies : {}
  return Object.keys({ ...dependencies, ...optionalDependencies, ...built })
}

/** Every place where `pattern` occurs in the code of a file, comments and strings left out. */
function places(file: SourceFile, pattern: RegExp): string[] {
  const code = codeOnly(file.text)
  return [...code.matchAll(pattern)].map(
    (match) => `${file.path}:${lineAt(code, match.index)}: ${match[0].trim()}`,
  )
}

suite('the repository is tidy', () => {
  test('the scan sees the sources', () => {
    assert.ok(sources.length >= 20)
    assert.ok(sources.some((file) => importsOf(file).length > 0))
  })

  test('imports follow the dependency rules', () => {
    const problems = sources.flatMap((file) =>
      importsOf(file).flatMap((imported) => {
        const problem = importProblem(file, imported, dependenciesOf)
        return problem === undefined ? [] : [`${file.path}:${imported.line}: ${problem}`]
      }),
    )
    assert.deepEqual(problems, [])
  })

  test('no file imports itself by way of others, not even for a type', () => {
    assert.deepEqual(importCircles(sources), [])
  })

  test('a package has one index.ts, for outsiders, and nothing else re-exports whole files', () => {
    const problems = shipped.filter(
      (file) =>
        !/^packages\/[\w-]+\/src\/index\.ts$/.test(file.path) &&
        (file.path.endsWith('/index.ts') || /^export \* from/m.test(file.text)),
    )
    assert.deepEqual(
      problems.map((file) => file.path),
      [],
    )
  })

  test('TypeScript is erasable, and exports have names', () => {
    const pattern =
      /^\s*(?:export )?(?:declare )?(?:const )?(?:enum|namespace) \w+ \{|^export default\b/gm
    // node:test finds reporters, Vite and VitePress their settings, by their default export.
    const problems = sources
      .filter(
        (file) =>
          !/(-reporter|\/vite\.config|\.vitepress\/(config|theme\/index))\.ts$/.test(file.path),
      )
      .flatMap((file) => places(file, pattern))
    assert.deepEqual(problems, [])
  })

  test('no regular expression is built at run time', () => {
    // Only literals are checked for their worst text (tools/patterns).
    const pattern = /\bRegExp\(/g
    assert.deepEqual(
      shipped.flatMap((file) => places(file, pattern)),
      [],
    )
  })

  test('only named files read the clock', () => {
    const files = shipped.filter((file) => !CLOCK_FILES.test(file.path))
    assert.deepEqual(
      files.flatMap((file) => places(file, /\bDate\.now\(\)|\bnew Date\(\)/g)),
      [],
    )
  })

  test('search code reads no clock: what it may take is given to it', () => {
    const files = shipped.filter((file) => UNTIMED_FILES.test(file.path))
    assert.ok(files.length > 100)
    assert.deepEqual(
      files.flatMap((file) => places(file, /\bperformance\.now\(\)/g)),
      [],
    )
  })

  test('tests do not sleep: they poll with a deadline (`until` of @aisle/testing)', () => {
    const tests = sources.filter((file) => /\.(test|conformance)\.ts$/.test(file.path))
    const sleeping = tests.filter((file) => places(file, /(?<![.\w])setTimeout\b/g).length > 0)
    assert.deepEqual(
      sleeping.map((file) => file.path),
      Object.keys(SLEEPING_TESTS),
    )
  })

  test('only entries and config.ts read the environment', () => {
    const files = shipped.filter((file) => !ENVIRONMENT_FILES.test(file.path))
    assert.deepEqual(
      files.flatMap((file) => places(file, /\bprocess\.env\b/g)),
      [],
    )
  })

  test('no shipped code writes to the console except the entry files', () => {
    const files = shipped.filter(
      (file) =>
        !/\/(main|config)\.ts$|\/threads\/|^packages\/(cluster\/src\/node|dashboard\/build)\//.test(
          file.path,
        ),
    )
    assert.deepEqual(
      files.flatMap((file) => places(file, /\bconsole\.\w+\(/g)),
      [],
    )
  })

  test(`a comment has at most ${LINE_WIDTH_MAX} columns; layouts of bytes and tables may have more`, () => {
    const wide = sources.flatMap((file) =>
      file.text.split('\n').flatMap((line, index) => {
        const [, text] = /^\s*(?:\/\/|\/?\*+)(.*)$/.exec(line) ?? []
        const isProse = text !== undefined && !/^ {4}|^ - `\w+` {2}|https?:/.test(text)
        return isProse && line.length > LINE_WIDTH_MAX ? [`${file.path}:${index + 1}`] : []
      }),
    )
    assert.deepEqual(wide, [])
  })

  test(`a source file has at most ${FILE_LINES_MAX} lines`, () => {
    const long = sources
      .map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > FILE_LINES_MAX)
    assert.deepEqual(long, [])
  })

  test('file names are kebab-case', () => {
    const bad = sources.filter(
      (file) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(baseName(file.path)),
    )
    assert.deepEqual(
      bad.map((file) => file.path),
      [],
    )
  })

  test('every link of the documentation leads to a file of the repository', () => {
    const broken = paths
      .filter((path) => path.endsWith('.md'))
      .map(readSource)
      .flatMap((file) =>
        [...file.text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
          .map((match) => posix.join(posix.dirname(file.path), match[1] ?? ''))
          .filter(
            (target) => !paths.some((path) => path === target || path.startsWith(`${target}/`)),
          )
          .map((target) => `${file.path}: ${target}`),
      )
    assert.deepEqual(broken, [])
  })

  test('a file that a page or a comment names exists', () => {
    // The changelog tells of the past.
    const problems = paths
      .filter((path) => /\.(ts|md)$/.test(path) && path !== 'CHANGELOG.md')
      .map(readSource)
      .flatMap((file) =>
        citedFiles(file)
          .filter(({ name }) => !namesFile(name, paths))
          .map(({ name, line }) => `${file.path}:${line}: ${name}`),
      )
    assert.deepEqual(problems, [])
  })

  test('the folder tables of ARCHITECTURE.md are the folders of the packages', () => {
    const tables = foldersInTables(readSource('ARCHITECTURE.md').text)
    assert.deepEqual(tables.toSorted(), foldersInTree(paths))
  })

  test('no file names a folder of somebody’s machine or leaves a note to finish later', () => {
    const textFiles = paths.filter((path) =>
      /\.(ts|tsx|json|md|sh|css|html)$|\.ci\/run$/.test(path),
    )
    const pattern =
      /(?<![\w.\-$}])\/(?:work|tmp|root|Users)\/|\b(?:TO)(?:DO)\b|\bFIX(?:ME)\b|\bXX(?:X)\b/g
    const problems = textFiles
      .filter((path) => path !== 'package-lock.json')
      .map(readSource)
      .flatMap((file) =>
        [...file.text.matchAll(pattern)].map(
          (match) => `${file.path}:${lineAt(file.text, match.index)}: ${match[0]}`,
        ),
      )
    assert.deepEqual(problems, [])
  })
})

suite('dependencies', () => {
  const declared = manifests.flatMap(({ path, manifest }) =>
    Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    }).map(([name, version]) => ({ path, name, version })),
  )

  test('all packages have one version, and the changelog a section for it', () => {
    const { version } = JSON.parse(readSource('package.json').text) as { version: string }
    const others = manifests.filter(({ manifest }) => manifest.version !== version)
    assert.deepEqual(
      others.map(({ path }) => path),
      [],
    )
    const ours = declared.filter(({ name }) => name.startsWith('@aisle/'))
    assert.deepEqual(
      ours.filter((one) => one.version !== version),
      [],
    )
    const sections = readSource('CHANGELOG.md').text.match(/^## .+$/gm) ?? []
    assert.ok(sections.some((line) => line === '## Unreleased' || line.includes(version)))
  })

  test('every dependency is pinned to one version', () => {
    const loose = declared.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    assert.deepEqual(loose, [])
  })

  test('every dependency has its sentence in CONTRIBUTING.md', () => {
    const rows = readSource('CONTRIBUTING.md').text.split('\n')
    const missing = declared
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('@aisle/'))
      .filter((name) => !rows.some((row) => row.startsWith(`| \`${name}\` |`) && row.length > 40))
    assert.deepEqual([...new Set(missing)], [])
  })

  test('CONTRIBUTING.md lists no dependency that is gone', () => {
    const names = new Set(declared.map(({ name }) => name))
    const section = readSource('CONTRIBUTING.md').text.split('## Dependencies')[1] ?? ''
    const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '')
    assert.deepEqual(
      listed.filter((name) => !names.has(name)),
      [],
    )
  })
})

suite('the scan itself', () => {
  const check = (path: string, text: string): string[] =>
    importsOf({ path, text }).flatMap((imported) =>
      importProblem({ path, text }, imported, dependenciesOf) === undefined
        ? []
        : [imported.specifier],
    )

  test('it refuses what the rules forbid', () => {
    const forbidden: [string, string][] = [
      ['packages/engine/src/query/plan.ts', `import { readFileSync } from 'node:fs'`],
      ['packages/engine/src/query/plan.ts', `import fastify from 'fastify'`],
      ['packages/engine/src/query/plan.ts', `import { x } from '../search/searcher.ts'`],
      ['packages/engine/src/codec/vint.ts', `import { x } from '../segment/reader.ts'`],
      ['packages/engine/src/indexer/writer.ts', `import type { X } from '../search/searcher.ts'`],
      ['packages/engine/src/query/plan.ts', `import { x } from '../index.ts'`],
      ['packages/contract/src/errors.ts', `import { Field } from '@aisle/engine'`],
      ['packages/server/src/domain/store.ts', `import type { X } from '../ports/clock.ts'`],
      ['packages/server/src/domain/json/a.ts', `import type { X } from '../plan/plan-search.ts'`],
      ['packages/server/src/domain/gone/a.ts', `import type { X } from '../json/json-scan.ts'`],
      ['packages/engine/src/search/words/a.ts', `import { x } from '../searcher.ts'`],
      [
        'packages/server/src/services/search/search.ts',
        `import { lmdb } from '../../adapters/lmdb/open.ts'`,
      ],
      ['packages/server/src/app.ts', `import { lmdb } from './adapters/lmdb/open.ts'`],
      ['packages/server/src/config.ts', `import type { X } from './adapters/lmdb/open.ts'`],
      ['packages/server/src/http/routes.ts', `import { x } from '../../../engine/src/index.ts'`],
      ['packages/server/src/http/routes.ts', `import { x } from '@aisle/engine/src/index.ts'`],
      ['packages/server/src/http/routes.ts', `const x = await import('left-pad')`],
      ['packages/server/src/threads/start.ts', `const x = await import('@aisle/cluster')`],
      ['packages/server/src/load-cluster.ts', `import { x } from '@aisle/cluster'`],
      ['packages/cli/src/main.ts', `import type { X } from '@aisle/server/parts'`],
      ['packages/cluster/src/stores/a.ts', `import { x } from '../documents/b.ts'`],
      ['packages/server/src/http/routes.ts', `import {\n  a,\n  b,\n} from './routes'`],
    ]
    for (const [path, text] of forbidden)
      assert.equal(check(path, text).length, 1, `${path}: ${text}`)
  })

  test('it accepts what the rules allow', () => {
    const allowed: [string, string][] = [
      ['packages/engine/src/storage/files.ts', `import { readFileSync } from 'node:fs'`],
      ['packages/engine/src/query/plan.test.ts', `import fc from 'fast-check'`],
      ['packages/engine/src/search/searcher.ts', `import { x } from '../segment/reader.ts'`],
      ['packages/engine/src/segment/writer.ts', `import type { X } from '../schema/document.ts'`],
      ['packages/contract/src/errors.ts', `import { Type } from 'typebox'`],
      [
        'packages/server/src/http/routes.ts',
        `import { search } from '../services/search/search.ts'`,
      ],
      ['packages/server/src/main.ts', `import { lmdb } from './adapters/lmdb/open.ts'`],
      ['packages/server/src/load-cluster.ts', `return await import('@aisle/cluster')`],
      ['packages/cluster/src/node/a.ts', `import type { X } from '@aisle/server/parts'`],
      ['packages/server/src/domain/store.ts', `import type { Field } from '@aisle/engine'`],
      ['packages/server/src/config-options.ts', `import { X } from '@aisle/contract/limits'`],
    ]
    for (const [path, text] of allowed) assert.deepEqual(check(path, text), [], `${path}: ${text}`)
  })

  test('it finds the files that are named in comments and pages, and no others', () => {
    const text =
      "/** See plan.ts. */\nimport './code.ts' // ../docs/ranking.md, *.test.ts, x.ts, https://b.c/d.md"
    assert.deepEqual(citedFiles({ path: 'a.ts', text }), [
      { name: 'plan.ts', line: 1 },
      { name: 'docs/ranking.md', line: 2 },
    ])
    assert.ok(namesFile('query/plan.ts', ['packages/engine/src/query/plan.ts']))
    assert.ok(!namesFile('an.ts', ['packages/engine/src/query/plan.ts']))
  })

  test('it reads folders from tables and from paths', () => {
    const page =
      '| server folder | q |\n|---|---|\n| `http` `ports` | q |\n\n| server/domain folder | q |\n|---|---|\n| `plan` | `x` |\n'
    const folders = ['http', 'ports', 'domain/plan'].map((name) => `packages/server/src/${name}`)
    assert.deepEqual(foldersInTables(page), folders)
    const files = [...folders.map((folder) => `${folder}/x.ts`), 'packages/server/src/main.ts']
    const tree = ['domain', 'domain/plan', 'http', 'ports']
    assert.deepEqual(
      foldersInTree(files),
      tree.map((name) => `packages/server/src/${name}`),
    )
  })

  test('it finds rings of imports, of types and across files, and no others', () => {
    const file = (name: string, ...targets: string[]) => ({
      path: `packages/engine/src/${name}.ts`,
      text: targets.map((target) => `import type { X } from './${target}.ts'`).join('\n'),
    })
    const inEngine = (...names: string[]) => names.map((name) => `packages/engine/src/${name}.ts`)
    const files = [
      file('a', 'b', 'e'),
      file('b', 'c'),
      file('c', 'a', 'd'),
      file('d', 'e'),
      file('e', 'd'),
      file('f', 'a', 'g'),
      { path: 'packages/engine/src/g.ts', text: `new URL('./f.ts', import.meta.url)` },
    ]
    assert.deepEqual(importCircles(files), [inEngine('a', 'b', 'c'), inEngine('d', 'e')])
  })

  test('comments, strings and patterns are not code', () => {
    const code = codeOnly("a('new RegExp(x)') // Date.now()\nb = /Date.now()/g /* enum */ `x\ny` c")
    assert.doesNotMatch(code, /RegExp|Date|enum/)
    assert.match(code, /a\(\s+\)\s+\nb = /)
    assert.equal(code.split('\n').length, 3)
  })
})

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
