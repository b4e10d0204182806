import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { REPOSITORY } from '@aisle/testing'

// Goal: wherever two people can change one thing, the dashboard names the version that it changes,
// or this file says why not. Method: every call of a write of the client in the sources of the
// dashboard, beside the parameters of that write.

/** Writes without `If-Match`, by file and method. */
const REASONS: Readonly<Record<string, string>> = {
  'parts/store-queries.ts putResource': 'creates a resource: there is no version yet',
  'screens/account/account-screen.tsx endOwnSession': 'ends a session: twice is the same',
  'screens/account/account-screen.tsx changePassword': 'only the person, who names the old one',
  'screens/documents/product-editor.tsx index': 'inserts: refused if the id exists',
  'screens/documents/bulk-edit.tsx editDocuments': 'compares the version of each document itself',
  'screens/documents/delete-documents.tsx deleteDocuments': 'what a filter finds now, many',
  'screens/documents/delete-documents.tsx clearDocuments': 'all documents, by the typed name',
  'screens/documents/edit-job.tsx cancelEdit': 'one that is over stays as it is',
  'screens/documents/edit-job.tsx undoEdit': 'skips documents that were changed since',
  'screens/import/import-screen.tsx changeSettings':
    'groups the variants of a store without fields',
  'screens/import/import-screen.tsx changeSchema': 'adds fields: refused if one is different',
  'screens/keys/key-card.tsx revokePreviousKey': 'twice is the same',
  'screens/keys/rotate-dialog.tsx rotateKey': 'two rotations are two new keys',
  'screens/people/create-person-dialog.tsx createUser': 'refused if the login exists',
  'screens/people/person-panel.tsx changeUser': 'sets role and stores as a whole, as shown',
  'screens/people/person-panel.tsx endSessions': 'ends all there are: twice is the same',
  'screens/people/person-panel.tsx deleteUser': 'deletes the person, whatever the role is now',
  'screens/schema/rebuild-job.ts createStore': 'refused if the id exists',
  'screens/schema/rebuild-job.ts deleteStore': 'deletes its own copy',
  'screens/schema/rebuild-job.ts swapStores': 'copies what changed until the moment of the swap',
  'screens/schema/earlier-copy.tsx deleteStore': 'deletes the store by the name that is shown',
  'screens/schema/schema-progress.tsx cancelSchemaChange': 'one that is over stays as it is',
  'screens/schema/schema-progress.tsx changeSchema': 'repeats a change that failed: 409 if it runs',
  'screens/snapshots/restore-store.tsx restoreStore': 'makes a store: refused if the id exists',
  'screens/snapshots/restores.tsx cancelRestore': 'one that is over stays as it is',
  'screens/snapshots/snapshot-panel.tsx deleteSnapshot': 'a snapshot never changes',
  'screens/snapshots/snapshot-panel.tsx verifySnapshot': 'changes nothing',
  'screens/snapshots/snapshots-screen.tsx createSnapshot': 'makes another one',
  'screens/sources/source-form.tsx changeSchema': 'defines the schema of a store without one',
  'screens/sources/source-form.tsx changeSettings': 'groups the variants of a store without fields',
  'screens/stores/clone-store.ts createStore': 'refused if the id exists',
  'screens/stores/clone-store.ts deleteStore': 'deletes its own copy that failed',
  'screens/stores/store-dialogs.tsx createStore': 'refused if the id exists',
  'screens/stores/store-dialogs.tsx deleteStore': 'by the typed name, whatever is in it',
  'screens/stores/store-dialogs.tsx renameStore': 'one name, and the last one is shown to all',
  'screens/stores/swap-stores-dialog.tsx swapStores': 'swaps whatever both have, as it says',
  'session/session-provider.tsx logOut': 'ends the own session',
  'screens/synonyms/traffic-suggestions.tsx acceptSynonym': 'adds a pair to the newest set',
  'screens/synonyms/traffic-suggestions.tsx rejectSynonym': 'twice is the same',
  'screens/synonyms/traffic-suggestions.tsx restoreSynonym': 'twice is the same',
}

const CLIENT = ['store-client.ts', 'aisle-client.ts'].map((name) => `packages/client/src/${name}`)
const SOURCES = 'packages/dashboard/src'
/** What a request may be that has another method than GET and changes nothing. */
const READS = new Set([
  'checkEvents',
  'compareDraft',
  'previewEdit',
  'previewMend',
  'previewRule',
  'validateEvent',
])

interface Write {
  readonly method: string
  /** Index of the parameter `ifMatch`; -1: it has none. */
  readonly at: number
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), 'utf8')
}

/** The methods of the client that send another request than GET. */
function writesOf(source: string): Write[] {
  const found: Write[] = []
  const starts = [...source.matchAll(/^ {2}(?:async )?\*?(\w+)(?:<[^(\n]*>)?\(/gm)]
  for (const [i, start] of starts.entries()) {
    const body = source.slice(start.index, starts[i + 1]?.index)
    if (!/'(?:POST|PUT|PATCH|DELETE)'/.test(body) || READS.has(start[1]!)) continue
    const parameters = argumentsAt(body, start[0].length)
    found.push({ method: start[1]!, at: parameters.findIndex((one) => one.startsWith('ifMatch?')) })
  }
  return found
}

/** The arguments after an opening bracket, as text. */
function argumentsAt(source: string, from: number): string[] {
  const all: string[] = []
  let depth = 0
  let start = from
  for (let at = from; at < source.length; at++) {
    const char = source[at]!
    if (char === "'" || char === '`') {
      at = source.indexOf(char, at + 1)
      if (at < 0) break
    } else if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char) && depth-- === 0) {
      all.push(source.slice(start, at))
      break
    } else if (char === ',' && depth === 0) {
      all.push(source.slice(start, at))
      start = at + 1
    }
  }
  return all.map((one) => one.trim()).filter((one) => one !== '')
}

interface Sent extends Write {
  readonly place: string
  readonly isConditional: boolean
}

function sentByDashboard(writes: ReadonlyMap<string, Write>): Sent[] {
  const paths = globSync('**/*.{ts,tsx}', { cwd: join(REPOSITORY, SOURCES) }).toSorted()
  return paths
    .filter((path) => !path.includes('.test.'))
    .flatMap((path) => {
      const source = read(`${SOURCES}/${path}`)
      return [...source.matchAll(/\b(?:calls|api|client|source|second)\.(\w+)\(/g)].flatMap(
        (call) => {
          const write = writes.get(call[1]!)
          if (write === undefined) return []
          const given = argumentsAt(source, call.index + call[0].length)
          const isConditional = write.at >= 0 && given.length > write.at
          return [{ ...write, place: `${path} ${write.method}`, isConditional }]
        },
      )
    })
}

suite('what the dashboard writes', () => {
  const writes = new Map(
    CLIENT.flatMap((path) => writesOf(read(path))).map((write) => [write.method, write]),
  )
  const sent = sentByDashboard(writes)

  test('the sources are understood', () => {
    for (const method of ['putResource', 'changeSettings', 'index', 'publishDraft', 'swapStores']) {
      assert.ok(writes.has(method), method)
    }
    assert.equal(writes.get('putResource')!.at, 3)
    assert.equal(writes.get('swapStores')!.at, -1)
    assert.ok(sent.length > 30, String(sent.length))
  })

  test('names the version that it replaces, or has a reason', () => {
    const bare = sent.filter(({ isConditional }) => !isConditional).map(({ place }) => place)
    assert.deepEqual(
      bare.filter((place) => REASONS[place] === undefined),
      [],
      'pass `ifMatch`, or say here why not',
    )
    assert.deepEqual(
      Object.keys(REASONS).filter((place) => !bare.includes(place)),
      [],
      'these reasons are not needed',
    )
  })

  test('that the service can refuse as too late, it always can', () => {
    const methods = new Set(sent.filter(({ at }) => at >= 0).map(({ method }) => method))
    const conditional = sent.filter(({ isConditional }) => isConditional)
    const never = [...methods].filter((one) => !conditional.some(({ method }) => method === one))
    assert.deepEqual(never, [])
  })
})
