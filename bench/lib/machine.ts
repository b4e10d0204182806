import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { readFileSync } from 'node:fs'
import { REPOSITORY } from '@aisle/testing'

/** What a figure was measured on. A figure without it says nothing. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly node: string
  readonly commit: string
  /** The tree had changes that the commit does not have. */
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

/** Resident memory of a process in bytes; `undefined` where the system does not tell. */
export function residentBytes(pid: number): number | undefined {
  return statusBytes(pid, 'VmRSS')
}

/**
 * The same without mapped files: pages of the documents' file are the system's cache, which goes
 * when the memory is needed.
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
