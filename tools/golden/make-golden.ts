import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendEvents, ServerProcess } from '@aisle/testing'
import { AisleClient } from '@aisle/client'
import { stockEvent } from '../events/event-store.ts'
import { CLICKS, DOCUMENTS, FIELDS, RESOURCE, RESOURCES, SETTINGS, SHOP } from './golden-shop.ts'
import { shopOf, told } from './golden-shop.ts'
import { pack, readFolder } from './packed-folder.ts'

/**
 * `npx node tools/golden/make-golden.ts tools/golden/service-format-1-2026-11-22.bin`
 *
 * Makes a service write a data folder with every kind of data, and packs it. Run once for each
 * format, by the version that releases it, on the day in the name (UTC), and never again for that
 * format: the file represents the data of existing users. `tools/golden.test.ts` opens all of them.
 */
const [, , out = ''] = process.argv
const day = new Date().toISOString().slice(0, 10)
if (!out.endsWith(`-${day}.bin`)) throw new Error(`The name must end with "-${day}.bin"`)
const dataDir = mkdtempSync(join(tmpdir(), 'aisle-golden-'))
const server = await ServerProcess.start({ dataDir, threads: 1 })
const admin = new AisleClient({ url: server.url, adminToken: server.adminToken })
const made = await admin.createStore({ name: 'Golden', id: SHOP })
const secrets = { readSecret: made.read_secret, writeSecret: made.write_secret }
const shop = shopOf(server.url, secrets)
await shop.changeSchema({ fields: FIELDS } as never)
await shop.bulk(DOCUMENTS.map((document) => JSON.stringify(document)))
// An outdated version, and a deleted document.
await shop.bulk([JSON.stringify(DOCUMENTS[0]), JSON.stringify({ id: 'gone', title: 'Old shoe' })])
await shop.deleteDocument('gone')
await shop.changeSettings(SETTINGS)
for (const [kind, value] of Object.entries(RESOURCES)) {
  await shop.putResource(kind as keyof typeof RESOURCES, RESOURCE, value as never)
}
const batch = Array.from({ length: CLICKS }, (_, i) => ({
  ...stockEvent(`golden-${i}`, made.events_write_key),
  anonymousId: `visitor-${i}`,
}))
await sendEvents(server.url, made.events_write_key, batch)
// Each runs once: reports then have a file, and searches an event each.
console.log(JSON.stringify(await told(shop, day), undefined, 1))
await admin.createSnapshot()
// Suggestions are saved some seconds after their events.
await sleep(15_000)
await server.stop({ keepData: true })
const files = readFolder(dataDir)
const packed = pack({ ...secrets, eventsKey: made.events_write_key, files })
writeFileSync(out, packed)
rmSync(dataDir, { recursive: true })
console.log(`${out}: ${packed.length} bytes`, [...files.keys()])
