import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const START_LIMIT_MS = 180_000
/** Of a node that is a whole cluster, on free ports. */
const SETTINGS = {
  'network.host': '127.0.0.1',
  'http.port': 0,
  'transport.port': 0,
  'discovery.type': 'single-node',
  'node.store.allow_mmap': false,
}

/**
 * The classes of a node as this Java keeps them in memory: with it, a node starts in half of the
 * processor time (https://openjdk.org/jeps/350). The first call starts a node for it; later ones
 * reuse it.
 *
 * @param folder that of the release
 * @returns undefined if this Java cannot archive classes
 */
export function classArchive(folder: string, java: string, classPath: string): string | undefined {
  const { stderr: version } = spawnSync(java, ['-version'], { encoding: 'utf8' })
  const hash = createHash('sha256').update(java).update(version).digest('hex').slice(0, 12)
  const archive = join(folder, `classes-${hash}.jsa`)
  const failed = `${archive}.failed`
  if (existsSync(archive)) return archive
  if (existsSync(failed)) return undefined
  const home = mkdtempSync(join(tmpdir(), 'aisle-classes-'))
  try {
    mkdirSync(join(home, 'config'))
    writeFileSync(join(home, 'config', 'opensearch.yml'), JSON.stringify(SETTINGS))
    // Beside its final place, because a file cannot be moved from one disk to another.
    const draft = `${archive}-${process.pid}`
    const options = [`-XX:ArchiveClassesAtExit=${draft}`, '-cp', classPath]
    // Without standard input it ends as soon as it runs.
    const command = [...options, 'ClusterNodes', home]
    const { status } = spawnSync(java, command, { input: '', timeout: START_LIMIT_MS })
    if (status === 0 && existsSync(draft)) {
      renameSync(draft, archive)
      return archive
    }
    // A part of an archive, if it took too long.
    rmSync(draft, { force: true })
    writeFileSync(failed, '')
    return undefined
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
