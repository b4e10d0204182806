import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { suite } from 'node:test'
import { examineDataFolder } from '../../offline/examine-data-folder.ts'
import { openEmbeddedCatalog } from '../embedded/test/embedded-catalog.ts'
import { openDataFolder, prepareDataFolder, prepareSnapshotFolder } from './data-folder.ts'

function folderOf(names: readonly string[]): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'aisle-folder-'))
  for (const name of names) writeFileSync(join(path, name), '')
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** The error message for a user without special permissions; root may write anywhere. */
function messageAsNobody(run: () => void): string {
  const isAdministrator = process.geteuid?.() === 0
  if (isAdministrator) process.seteuid?.(65_534)
  try {
    run()
    return ''
  } catch (error) {
    return (error as Error).message
  } finally {
    if (isAdministrator) process.seteuid?.(0)
  }
}

suite('a data folder that cannot be used', () => {
  test('one with files that are not ours is refused, by the doctor too, and nothing is changed', async () => {
    using folder = folderOf(['package.json', 'README.md', 'a.txt', 'b.txt'])
    const message =
      /files that Aisle did not create \(.*, .*, .* and 1 more\) but no aisle\.json; choose/
    assert.throws(() => openDataFolder(folder.path), message)
    const findings = await examineDataFolder(folder.path, 0)
    assert.deepEqual(
      findings.map(({ verdict }) => verdict),
      ['error'],
    )
    assert.match(findings[0]!.text, message)
    assert.match(findings[0]!.advice ?? '', /--data-dir/)
    assert.equal(readdirSync(folder.path).length, 4)
  })

  test('what file systems, desktops and starts that were cut off leave is no reason to refuse', () => {
    using folder = folderOf(['.DS_Store', '.bashrc', 'lost+found', 'lock', 'aisle.json.new'])
    mkdirSync(join(folder.path, 'code'))
    openDataFolder(folder.path).release()
    writeFileSync(join(folder.path, 'a note beside our files'), '')
    openDataFolder(folder.path).release()
  })

  test('one that cannot be made or written says why', () => {
    using folder = folderOf(['file'])
    assert.throws(
      () => prepareDataFolder(join(folder.path, 'file', 'data')),
      /^DataFolderError: Cannot create the data folder ".*": a part of the path is a file$/,
    )
    assert.throws(() => prepareDataFolder(join(folder.path, 'file')), /: it is a file$/)
    // Where creating a folder fails with ENOENT, Node's own recursive mkdir never returns.
    assert.throws(
      () => prepareDataFolder('/proc/nowhere/data'),
      /"\/proc\/nowhere\/data": it does not exist and cannot be created$/,
    )
    const data = join(folder.path, 'data')
    mkdirSync(data)
    chmodSync(data, 0o555)
    chmodSync(folder.path, 0o755)
    assert.match(
      messageAsNobody(() => prepareDataFolder(data)),
      /^Cannot write to the data folder ".*": permission denied \(the process runs as user \d+\)$/,
    )
    assert.match(
      messageAsNobody(() => prepareDataFolder(join(data, 'below'))),
      /^Cannot create the data folder ".*": permission denied/,
    )
    assert.match(
      messageAsNobody(() => prepareSnapshotFolder(data)),
      /^Cannot write snapshots to ".*": permission denied .*; see --snapshot-dir$/,
    )
  })

  test('a snapshot that cannot be written fails with the reason, and is not to be tried again', async () => {
    await using catalog = await openEmbeddedCatalog()
    writeFileSync(join(catalog.folder, 'snapshots'), '')
    await assert.rejects(catalog.snapshots.create(), (error: Error & { status?: number }) => {
      assert.match(
        error.message,
        /^Cannot create a snapshot in ".*": a part of the path is a file$/,
      )
      return error.status === 500
    })
    assert.ok(existsSync(join(catalog.folder, 'snapshots')))
  })
})
