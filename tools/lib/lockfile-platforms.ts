/**
 * Packages with native parts list one optional package per platform. A registry mirror may lack
 * some of them; `npm install` then omits them from the lockfile, and `npm ci` refuses that lockfile
 * on every machine. The missing entries can be derived: the name contains the platform, and the
 * package that lists them the version. Npm skips those of other platforms without fetching them.
 */
export interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

export interface MissingPackage {
  readonly path: string
  readonly version: string
  readonly dev: boolean
}

/** Optional packages listed by a locked package but not locked themselves. */
export function missingOptionalPackages({ packages }: Lockfile): MissingPackage[] {
  const missing = new Map<string, MissingPackage>()
  for (const [parent, { dev = false, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const path = `node_modules/${name}`
      if (packages[path] !== undefined || packages[`${parent}/${path}`] !== undefined) continue
      missing.set(path, { path, version, dev })
    }
  }
  return [...missing.values()]
}

/** @returns the lockfile with an entry for each missing package, in npm's order of keys */
export function withMissingPackages(lockfile: Lockfile): Lockfile {
  const packages: Record<string, unknown> = { ...lockfile.packages }
  for (const { path, version, dev } of missingOptionalPackages(lockfile)) {
    const { os, cpu, libc } = platformOf(path)
    packages[path] = {
      version,
      cpu: [cpu],
      ...(dev ? { dev } : {}),
      ...(libc === undefined ? {} : { libc: [libc] }),
      optional: true,
      os: [os],
    }
  }
  const byPath = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)
  const sorted = Object.fromEntries(Object.entries(packages).sort(byPath))
  return { ...lockfile, packages: sorted as Lockfile['packages'] }
}

function platformOf(path: string): { os: string; cpu: string; libc: string | undefined } {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const os = /android|darwin|freebsd|linux|openharmony|win32/.exec(name)?.[0]
  const cpu = /arm64|arm|x64|ia32|ppc64|riscv64|s390x/.exec(name)?.[0]
  if (os === undefined || cpu === undefined) throw new Error(`${path} names no platform`)
  const libc = name.includes('musl') ? 'musl' : name.includes('gnu') ? 'glibc' : undefined
  return { os, cpu, libc }
}
