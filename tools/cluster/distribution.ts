import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { zipSync } from 'fflate'
import { UNPACKED } from '../lib/data-folder.ts'
import { classArchive } from './class-archive.ts'
import { findJava, NoClusterError } from './java.ts'

/** The tested releases of OpenSearch. All modules are on Maven for the second one only. */
export const RELEASES = {
  '2.19': { version: '2.19.1', log4j: '2.21.0', java: 17, isComplete: false },
  '3': { version: '3.8.0', log4j: '2.25.4', java: 21, isComplete: true },
} as const

export type Release = keyof typeof RELEASES

/** The command of a node: `java -cp classPath ClusterNodes HOME ...` */
export interface Distribution {
  readonly java: string
  readonly classPath: string
  /** The classes of `classPath`, ready for this Java; undefined: it reads them itself. */
  readonly archive: string | undefined
}

const HERE = import.meta.dirname
const SOURCES = ['pom.xml', 'ClusterNodes.java'].map((name) => join(HERE, name))
/** Those that are in complete distributions alone. */
const MODULES = ['lang-painless', 'analysis-common']
/** Java archives the classes of jars alone. */
const OUR_JAR = 'cluster-nodes.jar'
const MAVEN_LIMIT_MS = 10 * 60_000

/**
 * The jars of a release, from Maven, with our main class compiled against them. The first call
 * downloads some 60 MB into `datasets/cluster`, and 160 MB more
 * where the release has a complete distribution; later ones reuse them.
 *
 * @throws NoClusterError without Java or Maven, or without network at the first call
 */
export function distributionOf(release: Release): Distribution {
  const { version, java: oldest } = RELEASES[release]
  const java = findJava(oldest)
  const hash = createHash('sha256')
  for (const source of SOURCES) hash.update(readFileSync(source))
  const folder = join(UNPACKED, 'cluster', `${version}-${hash.digest('hex').slice(0, 12)}`)
  if (!existsSync(folder)) prepare(release, java, folder)
  const classPath = [join(folder, OUR_JAR), ...jarsOf(folder)].join(delimiter)
  return { java, classPath, archive: classArchive(folder, java, classPath) }
}

/**
 * The newest release that the Java of this machine supports, with its jars in place.
 * @throws NoClusterError if there is none
 */
export function newestRelease(): Release {
  try {
    distributionOf('3')
    return '3'
  } catch (error) {
    if (!(error instanceof NoClusterError)) throw error
    distributionOf('2.19')
    return '2.19'
  }
}

/** Uses a temporary folder first: an interrupted run must not look complete. */
function prepare(release: Release, java: string, folder: string): void {
  const { version, log4j, isComplete } = RELEASES[release]
  mkdirSync(join(UNPACKED, 'cluster'), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  try {
    run('fetch OpenSearch from Maven (Debian: apt-get install maven)', 'mvn', [
      '--quiet',
      '--batch-mode',
      `--file=${SOURCES[0]}`,
      'dependency:copy-dependencies',
      `-Dopensearch.version=${version}`,
      `-Dlog4j.version=${log4j}`,
      `-DoutputDirectory=${join(draft, 'jars')}`,
    ])
    if (isComplete) {
      copyFileSync(SOURCES[0]!, join(draft, 'pom.xml'))
      run('fetch the modules of OpenSearch from Maven', 'mvn', [
        '--quiet',
        '--batch-mode',
        // Maven keeps notes beside it.
        `--file=${join(draft, 'pom.xml')}`,
        'dependency:unpack',
        `-Dartifact=org.opensearch.distribution.integ-test-zip:opensearch:${version}:zip`,
        `-Dmdep.unpack.includes=${MODULES.map((name) => `*/modules/${name}/*.jar`).join(',')}`,
        `-Dopensearch.version=${version}`,
        `-Dlog4j.version=${log4j}`,
        `-DoutputDirectory=${join(draft, 'jars')}`,
      ])
    }
    const jars = jarsOf(draft)
    run('compile ClusterNodes.java', java, [
      '-cp',
      jars.join(delimiter),
      'org.eclipse.jdt.internal.compiler.batch.Main',
      '-17',
      '-proc:none',
      '-cp',
      jars.join(delimiter),
      '-d',
      join(draft, 'classes'),
      SOURCES[1]!,
    ])
    packJar(join(draft, 'classes'), join(draft, OUR_JAR))
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process may have been faster.
    if (!existsSync(folder)) throw error
  }
}

function packJar(classes: string, jar: string): void {
  const files = readdirSync(classes).map((name) => [name, readFileSync(join(classes, name))])
  writeFileSync(jar, zipSync(Object.fromEntries(files)))
}

function jarsOf(folder: string): string[] {
  const jars = join(folder, 'jars')
  return readdirSync(jars, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jar'))
    .map((name) => join(jars, name))
}

/** @param what as in "Cannot …" */
function run(what: string, command: string, options: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync(command, options, {
    encoding: 'utf8',
    timeout: MAVEN_LIMIT_MS,
  })
  if (error !== undefined) throw new NoClusterError(`Cannot ${what}: ${error.message}`)
  if (status !== 0) throw new NoClusterError(`Cannot ${what}: ${stdout}${stderr}`)
}
