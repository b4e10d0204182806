import { ApiError } from '@aisle/contract'
import { Committer } from '../committer.ts'
import { LmdbDocumentStore } from '../document-store.ts'
import { openEnvironment } from '../environment.ts'

/** Run by a test under a small file size limit: fills the file until a commit is refused. */
const environment = openEnvironment(process.argv[2] ?? '', { readOnly: false })
let isBroken = false
const committer = new Committer(
  environment,
  () => undefined,
  () => (isBroken = true),
)
const store = new LmdbDocumentStore(environment, committer, () => undefined)

const put = (docKey: number, bytes: number): Promise<void> =>
  store.commit({
    stores: [],
    removedStores: [],
    catalogs: [
      {
        catalog: 1,
        puts: [{ docKey, id: `d${docKey}`, json: Buffer.alloc(bytes, 0x20) }],
        removedIds: [],
        buried: [],
        reaped: [],
      },
    ],
  })

let docKey = 0
let refused = 'never'
while (refused === 'never' && docKey < 100) {
  docKey++
  try {
    await put(docKey, 20_000)
  } catch (error) {
    refused = error instanceof ApiError ? error.code : String(error)
  }
}
await new Promise((resolve) => setTimeout(resolve, 50))
const visible = store.findKey(1, `d${docKey}`) !== undefined
const kept = docKey > 2 && store.read(1, docKey - 1) !== undefined
let again = 'ok'
try {
  await put(docKey + 1, 10)
} catch (error) {
  again = String(error)
}
if (isBroken) again = again === 'ok' ? 'written by a process that must end' : 'broken'
process.stdout.write(`refused=${refused} visible=${visible} kept=${kept} again=${again}\n`)
await environment.root.close()
