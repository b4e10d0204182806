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
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024
  } catch {
    return undefined
  }
}
