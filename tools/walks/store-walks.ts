import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { at, file } from './walk.ts'
import type { Walk } from './walk.ts'

const fields = [
  { name: 'title', type: 'string', searchable: true, sort: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'picture', type: 'string', facet: true },
]
const PICTURE = `data:image/png;base64,${'iVBORw0KGgo'.repeat(50)}`
const CSV = `id,title,price,picture\na1,Dome tent,199.5,"${PICTURE}"\na2,Family tent,329,\n`
const TSV = 'id\ttitle\tprice\nb1\tBell tent\t80\nb2\tTarp\t20\n'

/** Four commands for each kind of named resource of a store. */
function resource(group: string, kind: string, good: object, bad: object, needle: RegExp): Walk[] {
  const none = { wrong: () => ['none'], exit: 'refused' as const, complains: /There is no / }
  return [
    {
      command: `${group} put`,
      text: () => ['one', file(`${group}.json`, good)],
      says: /^Saved .*"one"/,
      json: () => ['two', file(`${group}.json`, good)],
      gives: ({ name, status }: Record<string, string>) => name === 'two' && status === 'put',
      wrong: () => ['bad', file(`bad-${group}.json`, bad)],
      exit: 'refused',
      complains: needle,
    },
    {
      command: `${group} list`,
      text: () => [],
      says: /^one .*\ntwo /m,
      json: () => [],
      gives: (all: { name: string }[]) => all.map(({ name }) => name).join() === 'one,two',
      wrong: () => ['--store', 'none'],
      exit: 'refused',
      complains: /store/,
    },
    {
      command: `${group} get`,
      text: () => ['one'],
      says: /\w+:/,
      json: () => ['one'],
      gives: (value: object) => Object.keys(good).every((key) => key in value),
      ...none,
    },
    {
      command: `${group} delete`,
      text: () => ['two'],
      says: new RegExp(`^Deleted ${kind} "two"`),
      json: () => ['one'],
      gives: ({ status }: Record<string, string>) => status === 'deleted',
      ...none,
    },
  ]
}

/**
 * Commands for one store, which is empty at first, in an order in which each finds what it needs.
 */
export const STORE_WALKS: readonly Walk[] = [
  {
    command: 'schema put',
    text: () => [file('schema.json', { fields: fields.slice(0, 2) })],
    says: /title/,
    json: () => [file('schema.json', { fields })],
    gives: ({ fields_added }: { fields_added: unknown[] }) => fields_added.length === 1,
    wrong: () => [file('bad.json', { fields: [{ name: 'x', type: 'colour' }] })],
    exit: 'refused',
    complains: /type/,
  },
  {
    command: 'schema get',
    text: () => [],
    says: /^price +float/m,
    json: () => [],
    gives: (schema: { fields: unknown[] }) => schema.fields.length === 3,
    wrong: () => ['--store', 'none'],
    exit: 'refused',
    complains: /store/,
  },
  {
    command: 'import',
    text: () => [file('products.csv', CSV)],
    says: /^2 documents imported/,
    json: () => [file('products.tsv', TSV)],
    gives: ({ imported }: { imported: number }) => imported === 2,
    wrong: () => [at('missing.csv')],
    exit: 'usage',
    complains: /missing\.csv/,
  },
  {
    command: 'import',
    text: () => [file('list.json', [{ id: 'j1', title: 'Mug' }])],
    says: /^1 document imported/,
    json: () => [file('lines.ndjson', '{"id":"n1","data":{"title":"Kettle"}}\n')],
    gives: ({ imported }: { imported: number }) => imported === 1,
    wrong: () => [
      file('bad.ndjson', '{"id":"x","data":{"colour":"red"}}\n'),
      '--unknown',
      'refuse',
    ],
    exit: 'incomplete',
    complains: /1 row was refused/,
  },
  {
    command: 'reindex',
    text: () => ['--delete-old'],
    says: /^Swapped: store "shop" now has/,
    json: () => ['--set', 'language=en', '--delete-old'],
    gives: ({ swapped, deleted }: Record<string, boolean>) => swapped === true && deleted === true,
    wrong: () => ['--into', 'shop'],
    exit: 'usage',
    complains: /another store/,
  },
  {
    command: 'migrate',
    text: () => [at('migrated'), '--from', 'typesense', '--files', typesenseExport()],
    says: /^Written to .*: 1 document, 1 field/,
    json: () => [at('migrated'), '--from', 'typesense', '--files', at('typesense')],
    gives: ({ documents }: { documents: number }) => documents === 1,
    wrong: () => [at('migrated'), '--from', 'solr'],
    exit: 'usage',
    complains: /must be one of typesense/,
  },
  {
    command: 'export',
    text: () => ['--out', at('all.ndjson')],
    says: /^6 documents exported/,
    json: () => ['--filter', 'price:>200'],
    gives: ({ id }: Record<string, string>) => id === 'a2',
    isStream: true,
    wrong: () => ['--out', at('no/such/folder.ndjson')],
    exit: 'usage',
    complains: /no\/such/,
  },
  {
    command: 'documents get',
    text: () => ['a1'],
    says: /title: Dome tent/,
    json: () => ['a1'],
    gives: ({ data }: { data: Record<string, string> }) => data['picture'] === PICTURE,
    wrong: () => ['none'],
    exit: 'refused',
    complains: /no document/,
  },
  {
    command: 'documents update',
    text: () => ['{"price": 10}', '--filter', 'title:mug'],
    says: /^1 document updated/,
    json: () => ['{"price": 12}', '--filter', 'id:=[j1, n1]'],
    gives: (answer: { documents_updated: number }) => answer.documents_updated === 2,
    wrong: () => ['{price}', '--filter', 'title:mug'],
    exit: 'usage',
    complains: /JSON/,
  },
  {
    command: 'documents delete',
    text: () => ['--filter', 'price:<11 || id:=j1'],
    says: /^1 document deleted/,
    json: () => ['--filter', 'id:=n1'],
    gives: (answer: { documents_deleted: number }) => answer.documents_deleted === 1,
    wrong: () => ['--filter', 'prise:<5'],
    exit: 'refused',
    complains: /prise/,
  },
  {
    command: 'search',
    text: () => ['dome', '--facet', 'price', '--fields', '*', '--explain', '--no-analytics'],
    says: /^1\. {2}Dome tent {2}199\.50 {2}a1\n.*price: 199\.5\n {3}picture: data:image.{190}…\n {3}score .*└─ exact "dome" in title/s,
    json: () => ['dome'],
    gives: (answer: unknown) => JSON.stringify(answer).includes(PICTURE),
    wrong: () => ['dome', '--sort', 'colour'],
    exit: 'refused',
    complains: /colour/,
  },
  ...resource(
    'presets',
    'preset',
    { value: { per_page: 5 } },
    { value: { per_page: 'many' } },
    /per_page/,
  ),
  {
    command: 'rules preview',
    text: () => [file('rule.json', { when: [{ query: 'dome' }], hide: ['a1'] }), 'dome'],
    says: /^The rule applies: 0 found instead of 1\..*No longer on this page: a1 {2}Dome tent/s,
    json: () => [file('rule.json', { when: [{ query: 'dome' }], hide: ['a1'] }), 'dome'],
    gives: (preview: unknown) => JSON.stringify(preview).includes('a1'),
    wrong: () => [at('none.yaml'), 'dome'],
    exit: 'usage',
    complains: /none\.yaml/,
  },
  ...resource('rules', 'rule', { hide: ['a1'] }, { filter_by: 'colour:=red' }, /colour/),
  ...resource(
    'synonyms',
    'synonym set',
    { items: [{ synonyms: ['tent', 'yurt'] }] },
    { items: 'tent' },
    /items/,
  ),
  ...resource('stopwords', 'stopword set', { stopwords: ['the'] }, { stopwords: [5] }, /stopwords/),
  {
    command: 'settings put',
    text: () => ['cors_origins=["https://shop.example"]'],
    says: /shop\.example/,
    json: () => ['language=de'],
    gives: ({ language }: Record<string, string>) => language === 'de',
    wrong: () => ['colour=red'],
    exit: 'refused',
    complains: /colour/,
  },
  {
    command: 'settings get',
    text: () => [],
    says: /^language: de$/m,
    json: () => [],
    gives: ({ language }: Record<string, string>) => language === 'de',
    wrong: () => ['--store', 'none'],
    exit: 'refused',
    complains: /store/,
  },
  {
    command: 'suggestions put',
    text: () => ['min_sessions=3'],
    says: /^min_sessions: 3$/m,
    json: () => ['blocklist=["knife"]'],
    gives: ({ blocklist }: { blocklist: string[] }) => blocklist[0] === 'knife',
    wrong: () => ['min_sessions=many'],
    exit: 'refused',
    complains: /min_sessions/,
  },
  {
    command: 'suggestions get',
    text: () => [],
    says: /^min_sessions: 3$/m,
    json: () => [],
    gives: ({ min_sessions: min }: { min_sessions: number }) => min === 3,
    wrong: () => ['--store', 'none'],
    exit: 'refused',
    complains: /store/,
  },
  {
    command: 'suggestions top',
    text: () => ['--typed', 'te'],
    says: /popularity/i,
    json: () => ['--limit', '2'],
    gives: ({ suggestions }: { suggestions: unknown[] }) => suggestions.length <= 2,
    wrong: () => ['--range', '5d'],
    exit: 'refused',
    complains: /time_range/,
  },
  {
    command: 'analytics',
    text: () => ['overview'],
    says: /searches/,
    json: () => ['top-queries', '--limit', '3'],
    gives: ({ rows }: { rows: unknown[] }) => rows.length <= 3,
    wrong: () => ['overview', '--from', 'yesterday'],
    exit: 'refused',
    complains: /from/,
  },
  {
    command: 'events rebuild',
    text: () => [],
    says: /^Read \d+ log (entry|entries)/,
    json: () => [],
    gives: (answer: object) => Object.keys(answer).length > 0,
    wrong: () => ['--store', 'none'],
    exit: 'refused',
    complains: /store/,
  },
  {
    command: 'events erase',
    text: () => ['--user', 'nobody'],
    says: /^0 events erased/,
    json: () => ['--anonymous', 'nobody'],
    gives: ({ events_erased }: { events_erased: number }) => events_erased === 0,
    wrong: () => [],
    exit: 'refused',
    complains: /user_id/,
  },
  {
    command: 'events drop',
    text: () => ['--before', '2020-01-01T00:00:00Z'],
    says: /\d/,
    json: () => ['--before', '2020-01-01T00:00:00Z'],
    gives: (answer: object) => Object.keys(answer).length > 0,
    wrong: () => ['--before', 'yesterday'],
    exit: 'refused',
    complains: /before/,
  },
  {
    command: 'pull',
    text: () => [at('yaml')],
    says: /files in /,
    json: () => [at('json'), '--format', 'json'],
    gives: ({ files }: { files: unknown }) => files !== undefined,
    wrong: () => [at('xml'), '--format', 'xml'],
    exit: 'usage',
    complains: /yaml or json/,
  },
  {
    command: 'diff',
    text: () => [changedFolder()],
    says: /^\+ preset/,
    wellExit: 'incomplete',
    json: () => [at('json')],
    gives: ({ changes }: { changes: unknown[] }) => changes.length === 1,
    wrong: () => [at('nowhere')],
    exit: 'usage',
    complains: /nowhere/,
  },
  {
    command: 'apply',
    text: () => [at('json')],
    says: /^\+ preset/,
    json: () => [at('json')],
    gives: ({ changes }: { changes: unknown[] }) => changes.length === 0,
    wrong: () => [at('nowhere')],
    exit: 'usage',
    complains: /nowhere/,
  },
]

/** The pulled folder with a preset that the store lacks. */
function changedFolder(): string {
  writeFileSync(join(at('json'), 'presets', 'new.json'), '{"value":{"per_page":3}}')
  return at('json')
}

function typesenseExport(): string {
  mkdirSync(at('typesense'))
  file('typesense/collection.json', { fields: [{ name: 'title', type: 'string' }] })
  file('typesense/documents.ndjson', '{"id":"1","title":"Mug"}\n')
  return at('typesense')
}
