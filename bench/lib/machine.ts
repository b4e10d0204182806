import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { readFileSync } from 'node:fs'
import { REPOSITORY } from '@aisle/testing'

/** The machine and commit of a measurement. A figure without them is meaningless. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly node: string
  readonly commit: string
  /** The working tree had uncommitted changes. */
  readonly dirty: boolean
  readonly date: string
  /** Load average of the last minute, at the start. */
  readonly load: number
}

export function describeMachine(): Machine {
  const git = (...options: string[]): string =>
    execFileSync('git', options, { cwd: REPOSITORY, encoding: 'utf8' }).trim()
  const processors = cpus()
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    commit: git('rev-parse', '--short', 'HEAD'),
    dirty: git('status', '--porcelain') !== '',
    date: new Date().toISOString().slice(0, 10),
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
  }
}

/** Resident memory of a process in bytes; `undefined` if the system does not report it. */
export function residentBytes(pid: number): number | undefined {
  return statusBytes(pid, 'VmRSS')
}

/**
 * The same without mapped files: pages of the documents' file are the system's cache, which is
 * freed on demand.
 */
export function privateBytes(pid: number): number | undefined {
  return statusBytes(pid, 'RssAnon')
}

function statusBytes(pid: number, name: string): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const line = status.split('\n').find((line) => line.startsWith(`${name}:`))
    return line === undefined ? undefined : Number.parseInt(line.slice(name.length + 1)) * 1_024
  } catch {
    return undefined
  }
}
