import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { RefusedError, UnreachableError } from '@aisle/client'
import type { SchemaFieldRequest, StoreClient } from '@aisle/client'
import {
  applyChanges,
  changesTo,
  configurationOf,
  differencesOfChange,
  filesOf,
  siblingsOf,
} from './index.ts'
import { ConfigurationFilesError, type StoreConfiguration } from './index.ts'

const NAMES = ['mugs', 'mugs: first', '.hidden', '../up', 'ä/ö', '%41', 'con.yaml']

function example(): StoreConfiguration {
  return {
    schema: [{ name: 'title', type: 'string' }],
    settings: { language: 'de', cache: { ttl_seconds: 30 } },
    resources: new Map([
      ['rules', new Map(NAMES.map((name) => [name, { when: [{ query: name }] }]))],
      ['query-sets', new Map([['head', { queries: [{ q: 'null', weight: 2 }, { q: '1e3' }] }]])],
      ['presets', new Map()],
    ]),
  }
}

suite('a configuration as files', () => {
  for (const format of ['yaml', 'json'] as const) {
    test(`comes back from ${format}, whatever its names are`, () => {
      const files = filesOf(example(), format)
      for (const path of files.keys()) assert.match(path, /^([\w-]+\/)?[\w%~!*'()-][\w.%~!*'()-]*$/)
      const read = configurationOf(files, ['presets'])
      assert.deepEqual(read, example())
      assert.deepEqual(changesTo(example(), read), [])
      assert.deepEqual(changesTo(read, example()), [])
    })
  }

  test('fields that a pattern added are in no file, and are declared by one that names them', () => {
    const specs = [
      { name: 'specs', type: 'object' as const },
      { name: 'specs.*', type: 'auto' as const, facet: true },
    ]
    const color = { name: 'specs.color', type: 'string' as const, facet: true }
    const base = { settings: {}, resources: new Map() }
    const store = { ...base, schema: [...specs, { ...color, sort: false, pattern: 'specs.*' }] }
    const pulled = configurationOf(filesOf(store, 'yaml'))
    assert.deepEqual(pulled.schema, specs)
    assert.deepEqual(changesTo(store, pulled), [])
    const verbsOf = (field: SchemaFieldRequest) =>
      changesTo(store, { ...base, schema: [...specs, field] }).map(({ verb, name }) => [verb, name])
    assert.deepEqual(verbsOf(color), [['add', 'specs.color']])
    assert.deepEqual(verbsOf({ ...color, facet: false }), [['change', 'specs.color']])
    assert.deepEqual(verbsOf({ ...color, type: 'object' }), [['conflict', 'specs.color']])
  })

  test('what has no file is not spoken of, and other files are passed over', () => {
    const read = configurationOf(
      new Map([
        ['README.md', '#'],
        ['rules/readme.txt', '#'],
        ['documents/a.yaml', 'a: 1'],
        ['presets/deep/a.yaml', 'a: 1'],
        ['settings.yml', 'language: de'],
      ]),
    )
    assert.deepEqual(read, {
      schema: undefined,
      settings: { language: 'de' },
      resources: new Map(),
    })
    assert.deepEqual(
      changesTo(example(), read).map(({ kind, name }) => [kind, name]),
      [],
    )
  })

  test('settings that a file does not name are left alone, in groups too', () => {
    const present = { settings: { cache: { ttl_seconds: 30, max_bytes: 5 }, language: 'en' } }
    const base = { schema: undefined, resources: new Map() }
    const wanted = (ttl: number) => ({ ...base, settings: { cache: { ttl_seconds: ttl } } })
    assert.deepEqual(changesTo({ ...base, ...present }, wanted(30)), [])
    const [change, ...more] = changesTo({ ...base, ...present }, wanted(60))
    assert.deepEqual(
      [more, change],
      [
        [],
        {
          kind: 'settings',
          verb: 'change',
          name: 'cache',
          before: present.settings.cache,
          after: { ttl_seconds: 60 },
        },
      ],
    )
    assert.deepEqual(differencesOfChange(change!), [{ path: 'ttl_seconds', before: 30, after: 60 }])
  })

  test('all errors are reported, by file', () => {
    const bad: readonly (readonly [string, string, RegExp])[] = [
      ['presets/list.yaml', '[1]', /^must contain an object$/],
      ['presets/text.json', 'a: 1', /^is neither JSON nor YAML: /],
      ['rules/%zz.yaml', 'a: 1', /^has a name with invalid percent-encoding$/],
      ['rules/two.json', '{}', /^$/],
      ['rules/two.yaml', 'a: 1', /^is a second file of "two"$/],
      ['schema.yaml', 'fields: title', /^must have a list `fields`$/],
      ['settings.yaml', 'a: [', /^is neither JSON nor YAML: /],
    ]
    assert.throws(
      () => configurationOf(new Map(bad.map(([file, content]) => [file, content]))),
      (error) => {
        assert.ok(error instanceof ConfigurationFilesError)
        const wrong = bad.filter(([, , expected]) => expected.source !== '^$')
        assert.deepEqual(
          error.faults.map(({ file }) => file),
          wrong.map(([file]) => file),
        )
        for (const [i, [, , expected]] of wrong.entries()) {
          assert.match(error.faults[i]!.message, expected)
        }
        return true
      },
    )
  })

  test('the same file may be in another format', () => {
    assert.deepEqual(siblingsOf('rules/a.yaml'), ['rules/a.yaml', 'rules/a.yml', 'rules/a.json'])
  })
})

const EMPTY: StoreConfiguration = { schema: [], settings: {}, resources: new Map() }

suite('applying changes', () => {
  const changes = changesTo(EMPTY, example())

  function store(refuse: (call: string) => Error | undefined): {
    readonly client: StoreClient
    readonly calls: string[]
  } {
    const calls: string[] = []
    const answer = (call: string): Promise<void> => {
      calls.push(call)
      const error = refuse(call)
      return error === undefined ? Promise.resolve() : Promise.reject(error)
    }
    const client = {
      changeSchema: () => answer('schema'),
      changeSettings: () => answer('settings'),
      putResource: (kind: string, name: string) => answer(`${kind} ${name}`),
      deleteResource: (kind: string, name: string) => answer(`delete ${kind} ${name}`),
    } as unknown as StoreClient
    return { client, calls }
  }
  const refused = (status: number): RefusedError => new RefusedError(status, undefined, 'no')

  test('the schema comes first, and refusals are reported by file while the rest continues', async () => {
    const { client, calls } = store((call) => (call === 'rules mugs' ? refused(400) : undefined))
    const applied: string[] = []
    const onApplied = (file: string) => void applied.push(file)
    const failures = await applyChanges(client, changes, { onApplied })
    assert.deepEqual(calls.slice(0, 2), ['schema', 'settings'])
    assert.equal(calls.length, 2 + NAMES.length + 1)
    assert.deepEqual(
      failures.map(({ file }) => file),
      ['rules/mugs'],
    )
    assert.equal(applied.length, calls.length - 1)
    assert.ok(applied.includes('rules/mugs%3A%20first'))
  })

  test('redefined fields serve before the rest is applied', async () => {
    const { client, calls } = store(() => undefined)
    const modes: unknown[] = []
    const looks = [10, 20].map((done) => ({ change: { state: 'running', documents_done: done } }))
    const redefining = {
      ...client,
      changeSchema: (request: { readonly mode?: string }) => {
        modes.push(request.mode)
        return client.changeSchema(request as never)
      },
      schema: async () => {
        calls.push('look')
        return looks.shift() ?? {}
      },
    } as unknown as StoreClient
    const title = { name: 'title', type: 'string' } as const
    const before = { ...EMPTY, schema: [title] }
    const wanted = { ...EMPTY, schema: [{ ...title, facet: true }], settings: { language: 'de' } }
    const done: number[] = []
    await applyChanges(redefining, changesTo(before, wanted), {
      onProgress: ({ documents_done: count }) => done.push(count),
    })
    assert.deepEqual(modes, ['change'])
    assert.deepEqual(calls, ['schema', 'look', 'look', 'look', 'settings'])
    assert.deepEqual(done, [10, 20])
  })

  test('after a schema that is refused nothing is tried', async () => {
    const { client, calls } = store(() => refused(400))
    const failures = await applyChanges(client, changes)
    assert.deepEqual([calls, failures.map(({ file }) => file)], [['schema'], ['schema']])
  })

  test('a service that cannot go on ends it', async () => {
    for (const error of [refused(503), refused(429), new UnreachableError('gone')]) {
      const { client, calls } = store((call) => (call === 'settings' ? error : undefined))
      await assert.rejects(applyChanges(client, changes), error)
      assert.deepEqual(calls, ['schema', 'settings'])
    }
  })
})
